import { ofServer, type Table } from './facts.ts';

/** A member of a direct message. They may have left the server. */
interface ChannelMemberRow {
  channelId: string;
  userId: string;
  serverId: string;
}

export const channelMember: Table<ChannelMemberRow> = {
  key: ['channelId', 'userId'],
  inExportOf: { userId: {} },
  goesWith: { ...ofServer, channelId: { table: 'channel', by: 'foreignKey' } },
};
