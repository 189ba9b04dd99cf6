import type { Row, Table } from './facts.ts';

interface NotificationRow extends Row {
  userId: string;
  serverId: string;
  type: 'mention' | 'reply' | 'thread' | 'direct' | 'reaction' | 'reminder' | 'schedule' | 'report' | 'flow';
  actorId: string;
  channelId: string;
  messageId: string;
  readAt: number | null;
}

export const notification: Table<NotificationRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: { serverId: 'it is deleted with its channel, which the sweep of the server deletes' },
  insertsMerge: true,
};
