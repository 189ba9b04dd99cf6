import { useState } from 'react';
import type { Records } from '../../../api/index.ts';
import { readLog } from '../../../api/raw.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { Button, ErrorText, Spinner } from '../../../ui/index.ts';
import { Json } from '../../settings/server/index.ts';

interface DeliveryBodyProps {
  webhook: Records['Webhook'];
  delivery: Records['WebhookDelivery'];
}

/** The maximum number of log pages searched for an event. */
const MOST = 20;

/** Finds an event in the log by type and ID. Undefined if it has expired or is too far back. */
async function eventOf(serverId: string, types: string, id: string): Promise<unknown> {
  let before: string | undefined;
  for (let turn = 0; turn < MOST; turn++) {
    const page = await readLog(serverId, { types, before });
    const found = page.events.find((event) => event.id === id);
    if (found || !page.hasMore) return found;
    before = page.nextCursor;
  }
  return undefined;
}

/**
 * Shows the sent payload on demand, as in the event log. Pings are not logged, and response bodies are not
 * stored.
 */
export function DeliveryBody({ webhook, delivery }: DeliveryBodyProps) {
  const [body, setBody] = useState<'closed' | 'reading' | { event: unknown } | { error: unknown }>('closed');
  if (delivery.type === 'ping' || delivery.type === 'gap') return null;

  function open(): void {
    setBody('reading');
    eventOf(webhook.serverId, delivery.type, delivery.eventId).then(
      (event) => setBody({ event }),
      (error: unknown) => setBody({ error }),
    );
  }

  if (body === 'closed') {
    return (
      <Button size="small" kind="quiet" icon="chevron-right" onClick={open}>
        {t.body}
      </Button>
    );
  }
  return (
    <>
      <Button size="small" kind="quiet" icon="chevron-down" onClick={() => setBody('closed')}>
        {t.body}
      </Button>
      {body === 'reading' && <Spinner />}
      {typeof body === 'object' && 'error' in body && <ErrorText error={body.error} onAgain={open} />}
      {typeof body === 'object' &&
        'event' in body &&
        (body.event === undefined ? (
          <p className="setting-hint">{t.noBody}</p>
        ) : (
          <Json value={body.event} label={t.body} />
        ))}
    </>
  );
}
