import type { Level } from './channelReading.ts';
import { ofServer, type Table } from './facts.ts';

/** A person's read marker for all channels of a server, and their notification level there. */
interface ServerReadingRow {
  serverId: string;
  userId: string;
  /**
   * Everything up to this id is read, in all channels. Null if the person has never marked everything as
   * read.
   */
  messageId: string | null;
  /** When they did, in ms; 0 for never. Messages marked as unread later stay unread. */
  readAt: number;
  /** Null for all. */
  level: Level | null;
  mutedUntil: number | null;
}

export const serverReading: Table<ServerReadingRow> = {
  key: ['serverId', 'userId'],
  inExportOf: { userId: { isScanned: true } },
  goesWith: ofServer,
  outlives: { messageId: 'a marker is a position: its message may be deleted' },
};
