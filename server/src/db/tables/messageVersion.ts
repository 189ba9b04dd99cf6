import type { Table } from './facts.ts';

/**
 * A version of an edited message. The first edit adds two rows, and each further edit adds one. The row of
 * the current version has no content, because the message contains it.
 */
interface MessageVersionRow {
  id: string;
  messageId: string;
  /** When the message got this content: the message's `createdAt`, or its `editedAt` at that time. */
  at: number;
  /** The user who wrote this version; null for Palaver itself. */
  userId: string | null;
  /** Null for the current version. */
  content: string | null;
}

export const messageVersion: Table<MessageVersionRow> = {
  key: ['id'],
  inExportOf: { userId: { isScanned: true } },
  goesWith: { messageId: { table: 'message', by: 'sweep' } },
  unique: {},
  neverTaken: {
    'messageId,at': 'each edit of a message has a later time than the one before',
  },
};
