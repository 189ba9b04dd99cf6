import type { Level } from './channelReading.ts';
import { ofServer, type Table } from './facts.ts';

/** A person's read marker for all channels in a server, and their notification level in the server. */
interface ServerReadingRow {
  serverId: string;
  userId: string;
  /**
   * Everything up to this id is read, in all channels. Null if the person has never marked everything as
   * read.
   */
  messageId: string | null;
  /**
   * When the person last marked everything as read, in ms; 0 for never. Messages marked as unread after that
   * stay unread.
   */
  readAt: number;
  /** The notification level; null for `all`. */
  level: Level | null;
  mutedUntil: number | null;
}

export const serverReading: Table<ServerReadingRow> = {
  key: ['serverId', 'userId'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  outlives: { messageId: 'a read marker stores a position, so it stays valid after its message is deleted' },
};
