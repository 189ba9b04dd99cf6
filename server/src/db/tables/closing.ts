import type { Row, Table } from './facts.ts';

/** A user who has closed their account and will be erased by a background job. The id is that of the user. */
interface ClosingRow extends Row {
  /** Whether the user's messages and reactions are deleted too. */
  withMessages: boolean;
}

export const closing: Table<ClosingRow> = { key: ['id'], inExportOf: { id: {} } };
