import { type ComponentProps, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { Button } from '../../../ui/index.ts';
import { Closed, Group, Page, Rows } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { useServerList } from '../../settings/server/index.ts';
import { Deliveries } from './Deliveries.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookRow } from './WebhookRow.tsx';
import { WebhookShown } from './WebhookShown.tsx';

type Webhook = Records['Webhook'];

/** The open dialog and the webhook it is for. */
type Asking = { act: 'new'; direction: 'in' | 'out' } | { act: 'edit' | 'deliveries'; id: string };

/** The outgoing and incoming webhooks of a server. */
export default function Webhooks({ serverId }: SectionProps) {
  const may = useMay(serverId, 'webhook insert');
  const { pages, rows: webhooks } = useServerList(
    'webhook',
    serverId,
    may.allowed &&
      ((cursor) => api(serverId).webhooksByServer({ serverId, cursor, limit: 100, expand: 'creator' })),
  );
  const [asking, setAsking] = useState<Asking>();
  const [shown, setShown] = useState<Records['NewWebhook']>();
  const asked = asking && asking.act !== 'new' ? webhooks.find(({ id }) => id === asking.id) : undefined;
  const close = () => setAsking(undefined);

  function done(webhook: Records['NewWebhook']): void {
    close();
    if (webhook.secret !== undefined || webhook.token !== undefined) setShown(webhook);
  }

  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={t.closed} />
      {may.allowed &&
        (['in', 'out'] as const).map((direction) => (
          <DirectionGroup
            key={direction}
            {...{ direction, pages, webhooks }}
            onNew={() => setAsking({ act: 'new', direction })}
            onDone={done}
            onAsk={(act, id) => setAsking({ act, id })}
          />
        ))}
      {asking?.act === 'new' && (
        <WebhookDialog serverId={serverId} direction={asking.direction} onDone={done} onClose={close} />
      )}
      {asked && asking?.act === 'edit' && (
        <WebhookDialog
          serverId={serverId}
          direction={asked.direction}
          webhook={asked}
          onDone={done}
          onClose={close}
        />
      )}
      {asked && asking?.act === 'deliveries' && <Deliveries webhook={asked} onClose={close} />}
      {shown && <WebhookShown webhook={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

interface DirectionGroupProps {
  direction: Webhook['direction'];
  pages: ComponentProps<typeof Rows>['pages'];
  webhooks: readonly Webhook[];
  onNew: () => void;
  onDone: (webhook: Records['NewWebhook']) => void;
  onAsk: (act: 'edit' | 'deliveries', id: string) => void;
}

function DirectionGroup({ direction, pages, webhooks, onNew, onDone, onAsk }: DirectionGroupProps) {
  const rows = webhooks.filter((webhook) => webhook.direction === direction);
  const words = t[direction];
  return (
    <Group
      title={words.title}
      lead={words.lead}
      action={
        <Button icon="plus" onClick={onNew}>
          {words.create}
        </Button>
      }
    >
      <Rows
        label={words.title}
        pages={pages}
        count={rows.length}
        empty={{ icon: 'webhook', title: words.none, text: words.noneMore }}
      >
        {rows.map((webhook) => (
          <WebhookRow
            key={webhook.id}
            webhook={webhook}
            onNew={onDone}
            onAsk={(act) => onAsk(act, webhook.id)}
          />
        ))}
      </Rows>
    </Group>
  );
}
