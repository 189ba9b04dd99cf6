import type { Level } from './channelReading.ts';
import { ofServer, type Table } from './facts.ts';

/** How far a person has read in all channels of a server, and what they want to be told of there. */
interface ServerReadingRow {
  serverId: string;
  userId: string;
  /** Everything up to this id is read, in all channels. Null if the person has never read everything at once. */
  messageId: string | null;
  /** The time of that, in ms; 0 for never. What was marked as unread later stays unread. */
  readAt: number;
  /** Null for all. */
  level: Level | null;
  mutedUntil: number | null;
}

export const serverReading: Table<ServerReadingRow> = {
  key: ['serverId', 'userId'],
  goesWith: ofServer,
  outlives: { messageId: 'a marker is a place: the message at it may be deleted' },
};
