import { ofServer, type Row, type Table } from './facts.ts';

/** A custom emoji of a server. */
interface EmojiRow extends Row {
  serverId: string;
  /** The folded name, which is unique in the server. */
  name: string;
  /** The URL of the emoji's picture. A trigger deletes the picture with the row. */
  url: string;
  creatorId: string;
}

export const emoji: Table<EmojiRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  goesWith: ofServer,
  unique: { 'serverId,name': 'an emoji with this name already exists in the server' },
};
