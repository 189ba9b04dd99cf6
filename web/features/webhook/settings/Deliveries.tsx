import { useEffect, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { webhookSettings as t } from '../../../strings/en/webhookSettings.ts';
import { ago, dateTime, number } from '../../../strings/format.ts';
import { Badge, Button, Dialog, IconButton, toast, WithName } from '../../../ui/index.ts';
import { Closed, Facts, Row, Rows } from '../../settings/index.ts';
import { usePages, useReachOfWebhook } from '../../settings/server/index.ts';
import { DeliveryBody } from './DeliveryBody.tsx';
import { Replay } from './Replay.tsx';

type Delivery = Records['WebhookDelivery'];

/** Milliseconds until what was asked for was tried, mostly, and how often it is looked at. */
const TRIED = 700;
const LOOKS = 6;

/** What a webhook has sent in the last days, and how its receiver answered. */
export function Deliveries({ webhook, onClose }: { webhook: Records['Webhook']; onClose: () => void }) {
  const { id, serverId } = webhook;
  const pages = usePages(id, (cursor) => api(serverId).webhookDeliveries({ id, cursor, limit: 20 }));
  const [awaited, setAwaited] = useState<{ id: string; looks: number }>();
  const [isPending, setPending] = useState(false);
  const [replaying, setReplaying] = useState<{ after: Delivery | undefined }>();
  const mayPing = useMay(serverId, 'webhook update');
  const maySend = useReachOfWebhook(webhook).change;
  const deliveries = pages.pages.flat();
  const isTried = deliveries.some((delivery) => delivery.id === awaited?.id && delivery.attempt > 0);

  // No event tells of deliveries: what was just asked for is looked at a few times.
  const { reload } = pages;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look begins the next
  useEffect(() => {
    if (!awaited || isTried || awaited.looks === 0) return;
    const timer = setTimeout(() => {
      reload();
      setAwaited({ ...awaited, looks: awaited.looks - 1 });
    }, TRIED);
    return () => clearTimeout(timer);
  }, [awaited, isTried]);

  async function send(action: () => Promise<Delivery>): Promise<void> {
    setPending(true);
    try {
      const { id } = await action();
      setAwaited({ id, looks: LOOKS });
      reload();
      toast.show(t.asked, { kind: 'good' });
    } catch (error) {
      toast.error(error);
    }
    setPending(false);
  }

  return (
    <Dialog title={<WithName words={t.deliveriesOf} name={webhook.name} />} size="l" onClose={onClose}>
      <div className="setting-rows-frame">
        <Closed permission={maySend} />
        <div className="setting-delivery-bar">
          {mayPing.allowed && (
            <Button
              icon="send-horizontal"
              isPending={isPending}
              onClick={() => send(() => api(serverId).webhookPing({ id }))}
            >
              {t.ping}
            </Button>
          )}
          {maySend.allowed && (
            <Button icon="rotate-ccw" onClick={() => setReplaying({ after: undefined })}>
              {t.replayFrom}
            </Button>
          )}
          <Button kind="quiet" icon="refresh-cw" isPending={pages.isReading} onClick={reload}>
            {t.reload}
          </Button>
        </div>
        <Rows
          label={t.deliveries}
          pages={pages}
          count={deliveries.length}
          empty={{ icon: 'send-horizontal', title: t.noDeliveries, text: t.noDeliveriesMore }}
        >
          {deliveries.map((delivery) => (
            <Row
              key={delivery.id}
              title={delivery.type}
              badges={<Status delivery={delivery} />}
              note={
                <Facts
                  of={[
                    <span key="at" title={dateTime(delivery.createdAt)}>
                      {ago(delivery.createdAt)}
                    </span>,
                    delivery.attempt > 0 && t.attempt(delivery.attempt),
                    delivery.attempt > 0 && t.took(number(delivery.ms)),
                    delivery.error,
                    delivery.attempt > 0 &&
                      delivery.nextAt !== null &&
                      delivery.nextAt > Date.now() &&
                      t.next(ago(delivery.nextAt)),
                  ]}
                />
              }
              actions={
                maySend.allowed &&
                delivery.type !== 'gap' &&
                delivery.type !== 'ping' && (
                  <>
                    <IconButton
                      size="small"
                      icon="rotate-ccw"
                      label={t.again}
                      onClick={() => send(() => api(serverId).webhookRedeliver({ id: delivery.id }))}
                    />
                    <IconButton
                      size="small"
                      icon="play"
                      label={t.onwards}
                      onClick={() => setReplaying({ after: delivery })}
                    />
                  </>
                )
              }
            >
              <DeliveryBody webhook={webhook} delivery={delivery} />
            </Row>
          ))}
        </Rows>
      </div>
      {replaying && (
        <Replay
          webhook={webhook}
          after={replaying.after}
          // Which deliveries come of it nobody can tell before.
          onSent={() => setAwaited({ id: '', looks: LOOKS })}
          onClose={() => setReplaying(undefined)}
        />
      )}
    </Dialog>
  );
}

/** How the receiver answered. */
function Status({ delivery: { status, attempt, type } }: { delivery: Delivery }) {
  if (type === 'gap') return <Badge kind="warm">{t.gap}</Badge>;
  if (attempt === 0) return <Badge>{t.waiting}</Badge>;
  if (status === null) return <Badge kind="bad">{t.noAnswer}</Badge>;
  return <Badge kind={status >= 200 && status < 300 ? 'good' : 'bad'}>{String(status)}</Badge>;
}
