import { ofServer, type Row, type Table } from './facts.ts';

/** A user who is banned from a server. */
interface ServerBanRow extends Row {
  serverId: string;
  userId: string;
  /** The user who imposed the ban. */
  creatorId: string;
  reason: string | null;
}

export const serverBan: Table<ServerBanRow> = {
  key: ['id'],
  inExportOf: { userId: { isOfServer: true, isScanned: true }, creatorId: { isScanned: true } },
  goesWith: ofServer,
  unique: { 'serverId,userId': 'this user is already banned from the server' },
};
