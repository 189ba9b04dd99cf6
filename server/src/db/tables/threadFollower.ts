import type { Table } from './facts.ts';

/** Who is told of new replies in a thread. */
interface ThreadFollowerRow {
  threadId: string;
  userId: string;
}

export const threadFollower: Table<ThreadFollowerRow> = {
  key: ['threadId', 'userId'],
  goesWith: { threadId: { table: 'thread', by: 'sweep' } },
};
