import { useEffect, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { ago, dateTime, number } from '../../../strings/format.ts';
import { Badge, Button, Dialog, IconButton, toast, WithName } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { Closed, Facts, Row, Rows } from '../../settings/index.ts';
import { type Pages, usePages, useReachOfWebhook } from '../../settings/server/index.ts';
import { DeliveryBody } from './DeliveryBody.tsx';
import { Replay } from './Replay.tsx';

type Delivery = Records['WebhookDelivery'];

/**
 * The polling interval in milliseconds, after which most deliveries have been attempted, and the number of
 * polls.
 */
const TRIED = 700;
const LOOKS = 6;

/**
 * Polls a few times after deliveries were requested, because events do not report them. Returns the
 * function that starts polling, which takes the delivery's ID if it is known.
 */
function useAwaited({ pages, reload }: Pages<readonly Delivery[]>): (id?: string) => void {
  const [awaited, setAwaited] = useState<{ id: string | undefined; looks: number }>();
  const isTried = pages.flat().some(({ id, attempt }) => id === awaited?.id && attempt > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each poll schedules the next
  useEffect(() => {
    if (!awaited || isTried || awaited.looks === 0) return;
    const timer = setTimeout(() => {
      reload();
      setAwaited({ ...awaited, looks: awaited.looks - 1 });
    }, TRIED);
    return () => clearTimeout(timer);
  }, [awaited, isTried]);
  return (id) => setAwaited({ id, looks: LOOKS });
}

/** A webhook's recent deliveries, and the receiver's responses. */
export function Deliveries({ webhook, onClose }: { webhook: Records['Webhook']; onClose: () => void }) {
  const { id, serverId } = webhook;
  const pages = usePages(id, (cursor) => api(serverId).webhookDeliveries({ id, cursor, limit: 20 }));
  const wait = useAwaited(pages);
  const [isPending, run] = usePending();
  const [replaying, setReplaying] = useState<{ after: Delivery | undefined }>();
  const mayPing = useMay(serverId, 'webhook update').allowed;
  const maySend = useReachOfWebhook(webhook).change;
  const deliveries = pages.pages.flat();

  const send = (ask: () => Promise<Delivery>) =>
    run(async () => {
      const { id } = await ask();
      wait(id);
      pages.reload();
      toast.show(t.asked, { kind: 'good' });
    });

  return (
    <Dialog
      title={<WithName words={t.deliveriesOf} values={{ name: webhook.name }} />}
      size="l"
      onClose={onClose}
    >
      <div className="setting-rows-frame">
        <Closed permission={maySend} />
        <Bar
          onPing={mayPing && (() => send(() => api(serverId).webhookPing({ id })))}
          onReplay={maySend.allowed && (() => setReplaying({ after: undefined }))}
          isPending={isPending}
          {...pages}
        />
        <Rows
          label={t.deliveries}
          pages={pages}
          count={deliveries.length}
          empty={{ icon: 'send-horizontal', title: t.noDeliveries, text: t.noDeliveriesMore }}
        >
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              {...{ webhook, delivery }}
              maySend={maySend.allowed}
              onAgain={() => send(() => api(serverId).webhookRedeliver({ id: delivery.id }))}
              onReplay={() => setReplaying({ after: delivery })}
            />
          ))}
        </Rows>
      </div>
      {replaying && (
        <Replay
          webhook={webhook}
          after={replaying.after}
          // The deliveries of a replay are not known in advance.
          onSent={() => wait()}
          onClose={() => setReplaying(undefined)}
        />
      )}
    </Dialog>
  );
}

interface BarProps {
  /** False if the user lacks the permission. */
  onPing: (() => void) | false;
  onReplay: (() => void) | false;
  isPending: boolean;
  isReading: boolean;
  reload: () => void;
}

const Bar = ({ onPing, onReplay, isPending, isReading, reload }: BarProps) => (
  <div className="setting-delivery-bar">
    {onPing && (
      <Button icon="send-horizontal" isPending={isPending} onClick={onPing}>
        {t.ping}
      </Button>
    )}
    {onReplay && (
      <Button icon="rotate-ccw" onClick={onReplay}>
        {t.replayFrom}
      </Button>
    )}
    <Button kind="quiet" icon="refresh-cw" isPending={isReading} onClick={reload}>
      {common.refresh}
    </Button>
  </div>
);

interface DeliveryRowProps {
  webhook: Records['Webhook'];
  delivery: Delivery;
  maySend: boolean;
  onAgain: () => void;
  onReplay: () => void;
}

function DeliveryRow({ webhook, delivery, maySend, onAgain, onReplay }: DeliveryRowProps) {
  const { type, createdAt, attempt, ms, error, nextAt } = delivery;
  const isTried = attempt > 0;
  return (
    <Row
      title={type}
      badges={<Status delivery={delivery} />}
      note={
        <Facts
          of={[
            <span key="at" title={dateTime(createdAt)}>
              {ago(createdAt)}
            </span>,
            isTried && t.attempt({ count: attempt }),
            isTried && t.took({ ms: number(ms) }),
            error,
            isTried && nextAt !== null && nextAt > Date.now() && t.next({ when: ago(nextAt) }),
          ]}
        />
      }
      actions={
        maySend &&
        type !== 'gap' &&
        type !== 'ping' && (
          <>
            <IconButton size="small" icon="rotate-ccw" label={t.again} onClick={onAgain} />
            <IconButton size="small" icon="play" label={t.onwards} onClick={onReplay} />
          </>
        )
      }
    >
      <DeliveryBody webhook={webhook} delivery={delivery} />
    </Row>
  );
}

/** The receiver's response. */
function Status({ delivery: { status, attempt, type } }: { delivery: Delivery }) {
  if (type === 'gap') return <Badge kind="warm">{t.gap}</Badge>;
  if (attempt === 0) return <Badge>{t.waiting}</Badge>;
  if (status === null) return <Badge kind="bad">{t.noAnswer}</Badge>;
  return <Badge kind={status >= 200 && status < 300 ? 'good' : 'bad'}>{String(status)}</Badge>;
}
