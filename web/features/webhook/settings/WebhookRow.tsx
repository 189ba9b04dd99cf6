import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { webhookSettings as t } from '../../../strings/en/webhookSettings.ts';
import { ago, list } from '../../../strings/format.ts';
import { Badge, Icon, IconButton, Menu, toast, WithName } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import { Ask, RoleName, useReachOfWebhook, Who } from '../../settings/server/index.ts';

interface WebhookRowProps {
  webhook: Records['Webhook'];
  /** A webhook with a secret or an address that is shown once. */
  onNew: (webhook: Records['NewWebhook']) => void;
  onAsk: (act: 'edit' | 'deliveries') => void;
}

/** A webhook: where it sends or posts, and whether it works. */
export function WebhookRow({ webhook, onNew, onAsk }: WebhookRowProps) {
  const { id, serverId, name, url, types, channelId, enabled, disabledReason, roleId, creatorId, direction } =
    webhook;
  const channel = useRow('channel', channelId);
  const role = useRow('role', roleId);
  const { change: mayChange, remove: mayRemove } = useReachOfWebhook(webhook);
  const closed = mayChange.allowed ? {} : { isDisabled: true };
  const [asking, setAsking] = useState<'delete' | 'rotate'>();
  const isOut = direction === 'out';
  const words = t[direction];

  const change = (change: object) => api(serverId).webhookUpdate({ webhookId: id, ...change });
  const run = (action: Promise<unknown>, text: string) =>
    action.then(() => toast.show(text, { kind: 'good' }), toast.error);

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
      note={
        <>
          {isOut && <span className="setting-webhook-url">{url}</span>}
          <Facts
            of={[
              isOut && (types === null ? t.allTypes : list(types.map(String))),
              channel && t.channel(channel.name),
              role && <RoleName key="role" role={role} />,
              <span key="made">
                {t.made(ago(webhook.createdAt))} <Who serverId={serverId} userId={creatorId} />
              </span>,
            ]}
          />
        </>
      }
      actions={
        <Menu
          label={serverSettings.actionsFor(name)}
          placement="below-end"
          items={[
            isOut && { label: t.deliveries, icon: 'list', onSelect: () => onAsk('deliveries') },
            !mayChange.allowed && { heading: ruleInWords(mayChange) },
            { label: serverSettings.edit, icon: 'pencil', onSelect: () => onAsk('edit'), ...closed },
            { label: words.rotate, icon: 'refresh-cw', onSelect: () => setAsking('rotate'), ...closed },
            {
              label: enabled ? t.disable : t.enable,
              icon: enabled ? 'bell-off' : 'play',
              onSelect: () => run(change({ enabled: !enabled }), enabled ? t.disabled : t.enabled),
              ...closed,
            },
            'line',
            {
              label: t.delete,
              icon: 'trash',
              isDanger: true,
              isDisabled: !mayRemove.allowed,
              onSelect: () => setAsking('delete'),
            },
          ]}
        >
          {(trigger) => <IconButton {...trigger} icon="ellipsis" label={serverSettings.actionsFor(name)} />}
        </Menu>
      }
    >
      {disabledReason && <p className="setting-hint">{t.reasonsMore[disabledReason]}</p>}
      {asking === 'rotate' && (
        <Ask
          permission={mayChange}
          title={words.rotate}
          text={words.rotateMore}
          action={words.rotate}
          onConfirm={async () => onNew(await change({ rotateSecret: true }))}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'delete' && (
        <Ask
          permission={mayRemove}
          title={<WithName words={t.ask} name={name} />}
          text={words.askMore}
          action={t.delete}
          isDanger
          onConfirm={async () => {
            await api(serverId).webhookDelete({ webhookId: id });
            toast.show(t.deleted(name));
          }}
          onClose={() => setAsking(undefined)}
        />
      )}
    </Row>
  );
}
