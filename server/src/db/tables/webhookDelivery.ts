import type { Row, Table } from './facts.ts';

/**
 * An attempt to deliver an event. A requested delivery that is still queued has `attempt` 0, and a node may
 * claim it at `nextAt`. A gap in the log is recorded with `attempt` 0 and without `nextAt`.
 */
interface WebhookDeliveryRow extends Row {
  webhookId: string;
  eventId: string;
  type: string;
  attempt: number;
  /** The HTTP status of the response; null if there was none. */
  status: number | null;
  error: string | null;
  ms: number;
  nextAt: number | null;
}

export const webhookDelivery: Table<WebhookDeliveryRow> = {
  key: ['id'],
  goesWith: { webhookId: { table: 'webhook', by: 'foreignKey' } },
  outlives: { eventId: 'events and deliveries have different retention times' },
  keptFor: { ms: 7 * 24 * 60 * 60_000, since: 'createdAt' },
};
