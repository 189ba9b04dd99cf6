import type { Row, Table } from './facts.ts';

interface ThreadRow extends Row {
  serverId: string;
  channelId: string;
  messageId: string | null;
  name: string | null;
  creatorId: string;
  locked: boolean;
  replyCount: number;
  lastReplyAt: number | null;
}

export const thread: Table<ThreadRow> = {
  key: ['id'],
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'release' },
  },
};
