import type { Row, Table } from './facts.ts';

interface ReactionRow extends Row {
  serverId: string;
  channelId: string;
  messageId: string;
  userId: string;
  emoji: string;
}

export const reaction: Table<ReactionRow> = {
  key: ['id'],
  inExportOf: { userId: { isScanned: true } },
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: { serverId: 'it is deleted with its channel, which the sweep of the server deletes' },
  unique: { 'messageId,userId,emoji': 'you have already reacted to this message with this emoji' },
  insertsMerge: true,
};
