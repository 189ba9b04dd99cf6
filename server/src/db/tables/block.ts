import type { Row, Table } from './facts.ts';

/** A user whom a person blocks. */
interface BlockRow extends Row {
  /** The person. */
  userId: string;
  blockedId: string;
}

export const block: Table<BlockRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  unique: { 'userId,blockedId': 'you already block this user' },
};
