import type { Row, Table } from './facts.ts';

/**
 * A user without an account, and the account that claims it. The id is that of the user. Once it is claimed,
 * a job merges the user into the account. The row is kept, so that a later import finds the account.
 */
interface PlaceholderRow extends Row {
  /**
   * The person's confirmed email address, in lowercase. Null if it is unknown, or once the user has been
   * claimed.
   */
  email: string | null;
  /** The product from which the person was imported; `palaver` for a user who was not imported. */
  source: string;
  /** The account that has claimed the user; null before that. */
  accountId: string | null;
  claimedAt: number | null;
  /** When the last of the user's rows was moved to the account; null before that. */
  mergedAt: number | null;
  /** The position of the merge; null before its first write and after its last one. */
  place: MergePlace | null;
  /** The servers that the merge has changed and whose members have not been notified yet. */
  serverIds: readonly string[];
}

/**
 * A position in a merge, which processes one column at a time: the rows that contain the user's id in that
 * column, in key order.
 */
export interface MergePlace {
  table: string;
  column: string;
  after: string;
  /** Set while a direct message is being merged: the last message that was queued for the search index. */
  messageId?: string;
}

export const placeholder: Table<PlaceholderRow> = {
  key: ['id'],
  json: ['place', 'serverIds'],
  inExportOf: { id: {}, accountId: {} },
};
