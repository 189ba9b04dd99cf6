import type { Row, Table } from './facts.ts';

/** A user who has closed their account, until upkeep has erased them. Has the id of the user. */
interface ClosingRow extends Row {
  /** True if their messages and reactions go too. */
  withMessages: boolean;
}

export const closing: Table<ClosingRow> = { key: ['id'] };
