import type { Table } from './facts.ts';

/** A person's read marker in a thread. */
interface ThreadReadingRow {
  threadId: string;
  userId: string;
  serverId: string;
  /** The read marker: replies with greater ids are unread. */
  messageId: string | null;
  /** When the person last marked something as unread, in ms; 0 for never. */
  unreadAt: number;
}

export const threadReading: Table<ThreadReadingRow> = {
  key: ['threadId', 'userId'],
  inExportOf: { userId: {} },
  goesWith: { threadId: { table: 'thread', by: 'sweep' } },
  outlives: {
    messageId: 'a read marker stores a position, so it stays valid after its message is deleted',
    serverId: 'it is deleted with its thread, which the sweep of the server deletes',
  },
  insertsMerge: true,
};
