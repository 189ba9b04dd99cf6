import type { Row, Table } from './facts.ts';

interface PinRow extends Row {
  serverId: string;
  channelId: string;
  messageId: string;
  creatorId: string;
}

export const pin: Table<PinRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isScanned: true } },
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: { serverId: 'it is deleted with its channel, which the sweep of the server deletes' },
  unique: { messageId: 'this message is already pinned' },
};
