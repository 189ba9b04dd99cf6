import type { Table } from './facts.ts';

/** A user who is notified of new replies in a thread. */
interface ThreadFollowerRow {
  threadId: string;
  userId: string;
}

export const threadFollower: Table<ThreadFollowerRow> = {
  key: ['threadId', 'userId'],
  inExportOf: { userId: { isScanned: true } },
  goesWith: { threadId: { table: 'thread', by: 'sweep' } },
};
