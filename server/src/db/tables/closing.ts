import type { Row, Table } from './facts.ts';

/** A user who has closed their account and is waiting to be erased by upkeep. The id is the user's. */
interface ClosingRow extends Row {
  /** Whether the user's messages and reactions are deleted too. */
  withMessages: boolean;
}

export const closing: Table<ClosingRow> = { key: ['id'], inExportOf: { id: {} } };
