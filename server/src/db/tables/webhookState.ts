import type { Table } from './facts.ts';

/** How far a webhook has come. Apart from `webhook`, so that moving on ends no remembered principal. */
interface WebhookStateRow {
  id: string;
  serverId: string;
  /** The id of the last event that was dealt with. */
  cursor: string;
  /** Its number, so that a query finds those that something waits for. */
  seq: number;
  /** Attempts at the next event that have failed. */
  attempt: number;
  /** When it is tried again; null if nothing has failed. */
  nextAt: number | null;
  /** The process that delivers it, and until when no other does. */
  owner: string | null;
  ownedUntil: number;
}

export const webhookState: Table<WebhookStateRow> = {
  key: ['id'],
  goesWith: { id: { table: 'webhook', by: 'foreignKey' } },
};
