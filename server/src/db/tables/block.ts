import type { Row, Table } from './facts.ts';

/**
 * A block. `blockedId` can neither start a direct message with `userId` nor write in the one between them,
 * and messages from `blockedId` do not notify `userId`.
 */
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
