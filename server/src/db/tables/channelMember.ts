import { ofServer, type Table } from './facts.ts';

/** A member of a direct message. They may have left the server. */
interface ChannelMemberRow {
  channelId: string;
  userId: string;
  serverId: string;
  /** The id of the latest message, or the channel's id if there is no message yet. */
  latestId: string;
}

export const channelMember: Table<ChannelMemberRow> = {
  key: ['channelId', 'userId'],
  inExportOf: { userId: { isOfServer: true } },
  goesWith: { ...ofServer, channelId: { table: 'channel', by: 'foreignKey' } },
  outlives: { latestId: 'it stores a position, which stays valid after the message is deleted' },
};
