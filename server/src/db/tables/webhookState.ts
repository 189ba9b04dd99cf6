import type { Table } from './facts.ts';

/**
 * The progress of a webhook. Not columns of `webhook`, because updates there invalidate cached principals.
 */
interface WebhookStateRow {
  id: string;
  serverId: string;
  /** The cursor of the last event that was delivered, skipped or given up. */
  cursor: string;
  /** The `seq` of that event, so that a query finds webhooks with pending events. */
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
