import type { Row, Table } from './facts.ts';

/** A block. `userId` gets no direct messages or notifications from `blockedId`. */
interface BlockRow extends Row {
  /** The person who blocks. */
  userId: string;
  blockedId: string;
}

export const block: Table<BlockRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  unique: { 'userId,blockedId': 'you already block this user' },
};
