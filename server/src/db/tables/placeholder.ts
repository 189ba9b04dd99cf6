import type { Row, Table } from './facts.ts';

/**
 * A user without an account, and the account that claims it. The id is the user's. Once it is claimed, a job merges the
 * user into the account. The row then stays, so a later import finds the account.
 */
interface PlaceholderRow extends Row {
  /** The confirmed address of the person, in lower case; null if unknown, and once it is claimed. */
  email: string | null;
  /** The product that the person was imported from. */
  source: string;
  /** The account that has claimed it; null before that. */
  accountId: string | null;
  claimedAt: number | null;
  /** When the last of its rows was moved to the account; null before that. */
  mergedAt: number | null;
  /** How far the merge is; null before its first write, and after its last one. */
  place: MergePlace | null;
  /** Servers changed by the merge whose members have not been notified yet. */
  serverIds: readonly string[];
}

/** A position in a merge: rows of a table with the user in a column, in key order. */
export interface MergePlace {
  table: string;
  column: string;
  after: string;
  /** In a direct message, the last of its messages that was queued for the search index. */
  messageId?: string;
}

export const placeholder: Table<PlaceholderRow> = {
  key: ['id'],
  json: ['place', 'serverIds'],
  inExportOf: { id: {}, accountId: {} },
};
