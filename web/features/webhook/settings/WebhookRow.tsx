import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago, list } from '../../../strings/format.ts';
import { Badge, Icon, type MenuItem, toast, WithName } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import { Ask, RoleName, RowMenu, useReachOfWebhook, Who } from '../../settings/server/index.ts';

interface WebhookRowProps {
  webhook: Records['Webhook'];
  /** Called with a webhook whose secret or URL is shown once. */
  onNew: (webhook: Records['NewWebhook']) => void;
  onAsk: (act: 'edit' | 'deliveries') => void;
}

/** A webhook with its destination and state. */
export function WebhookRow({ webhook, onNew, onAsk }: WebhookRowProps) {
  const { id, serverId, name, enabled, disabledReason, direction } = webhook;
  const { change: mayChange, remove: mayRemove } = useReachOfWebhook(webhook);
  const closed = mayChange.allowed ? {} : { isDisabled: true };
  const [asking, setAsking] = useState<'delete' | 'rotate'>();
  const isOut = direction === 'out';
  const words = t[direction];

  const turn = () =>
    api(serverId)
      .webhookUpdate({ webhookId: id, enabled: !enabled })
      .then(() => toast.show(enabled ? t.disabled : t.enabled, { kind: 'good' }), toast.error);

  const items: MenuItem[] = [
    isOut && { label: t.deliveries, icon: 'list', onSelect: () => onAsk('deliveries') },
    !mayChange.allowed && { heading: ruleInWords(mayChange) },
    { label: serverSettings.edit, icon: 'pencil', onSelect: () => onAsk('edit'), ...closed },
    { label: words.rotate, icon: 'refresh-cw', onSelect: () => setAsking('rotate'), ...closed },
    {
      ...{ label: enabled ? t.disable : t.enable, onSelect: turn },
      icon: enabled ? 'bell-off' : 'play',
      ...closed,
    },
    'line',
    {
      label: common.delete,
      icon: 'trash',
      isDanger: true,
      isDisabled: !mayRemove.allowed,
      onSelect: () => setAsking('delete'),
    },
  ];

  return (
    <Row
      mark={<Icon name={isOut ? 'send-horizontal' : 'inbox'} />}
      title={name}
      badges={
        !enabled && (
          <Badge kind={disabledReason ? 'bad' : 'warm'}>
            {disabledReason ? t.reasons[disabledReason] : t.off}
          </Badge>
        )
      }
      note={<WebhookFacts webhook={webhook} />}
      actions={<RowMenu name={name} items={items} />}
    >
      {disabledReason && <p className="setting-hint">{t.reasonsMore[disabledReason]}</p>}
      {asking && (
        <AskAbout
          act={asking}
          webhook={webhook}
          permission={asking === 'delete' ? mayRemove : mayChange}
          onNew={onNew}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Row>
  );
}

interface AskAboutProps {
  act: 'delete' | 'rotate';
  webhook: Records['Webhook'];
  permission: Permission;
  onNew: WebhookRowProps['onNew'];
  onClose: () => void;
}

function AskAbout({ act, webhook, permission, onNew, onClose }: AskAboutProps) {
  const { id, serverId, name } = webhook;
  const words = t[webhook.direction];
  return act === 'rotate' ? (
    <Ask
      {...{ permission, onClose }}
      title={words.rotate}
      text={words.rotateMore}
      action={words.rotate}
      onConfirm={async () => onNew(await api(serverId).webhookUpdate({ webhookId: id, rotateSecret: true }))}
    />
  ) : (
    <Ask
      {...{ permission, onClose }}
      title={<WithName words={t.ask} values={{ name }} />}
      text={words.askMore}
      action={common.delete}
      isDanger
      onConfirm={() => api(serverId).webhookDelete({ webhookId: id })}
      done={t.deleted({ name })}
    />
  );
}

function WebhookFacts({ webhook }: { webhook: Records['Webhook'] }) {
  const { serverId, url, types, channelId, roleId, creatorId, createdAt, direction } = webhook;
  const channel = useRow('channel', channelId);
  const role = useRow('role', roleId);
  const isOut = direction === 'out';
  return (
    <>
      {isOut && <span className="setting-webhook-url">{url}</span>}
      <Facts
        of={[
          isOut && (types === null ? t.allTypes : list(types.map(String))),
          channel && t.channel({ name: channel.name }),
          role && <RoleName key="role" role={role} />,
          <span key="made">
            {serverSettings.createdBy({ when: ago(createdAt) })}{' '}
            <Who serverId={serverId} userId={creatorId} />
          </span>,
        ]}
      />
    </>
  );
}
