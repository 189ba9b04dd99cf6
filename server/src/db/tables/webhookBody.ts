import type { Row, Table } from './facts.ts';

/**
 * The last body that an incoming webhook has received, for previews of its template. Its id is the webhook's,
 * and `updatedAt` is when the body arrived. This is not a column in `webhook`, because updates there
 * invalidate cached principals.
 */
interface WebhookBodyRow extends Row {
  /** The encrypted start of the body, as JSON with `body` and `isWhole`. */
  sealed: string;
}

export const webhookBody: Table<WebhookBodyRow> = {
  key: ['id'],
  sealed: 'sealed',
  goesWith: { id: { table: 'webhook', by: 'foreignKey' } },
  keptFor: { ms: 7 * 24 * 60 * 60_000, since: 'updatedAt' },
};
