import type { Table } from './facts.ts';

/**
 * A webhook's progress. It is not stored in `webhook`, because updates there invalidate cached principals.
 */
interface WebhookStateRow {
  id: string;
  serverId: string;
  /** The cursor after the last event that was delivered, skipped or abandoned. */
  cursor: string;
  /** The `seq` of that event, used by the query that finds webhooks with pending events. */
  seq: number;
  /** Failed attempts to deliver the next event. */
  attempt: number;
  /** When the next attempt is due; null if none has failed. */
  nextAt: number | null;
  /** The process that delivers for the webhook until `ownedUntil`; null if none. */
  owner: string | null;
  ownedUntil: number;
}

export const webhookState: Table<WebhookStateRow> = {
  key: ['id'],
  goesWith: { id: { table: 'webhook', by: 'foreignKey' } },
  outlives: { serverId: 'it is deleted with its webhook' },
};
