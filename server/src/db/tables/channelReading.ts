import type { Table } from './facts.ts';

/** What a person wants to be told of. */
export type Level = 'all' | 'mentions' | 'nothing';

/** How far a person has read in a channel, and what they want to be told of there. The row is kept small: there is one a person and channel. */
interface ChannelReadingRow {
  channelId: string;
  userId: string;
  /** The marker: messages with larger ids are unread. Null if there is none. */
  messageId: string | null;
  /** The last time at which the person marked something as unread, in ms; 0 for never. */
  unreadAt: number;
  /** Null for that of the server. */
  level: Level | null;
  mutedUntil: number | null;
}

export const channelReading: Table<ChannelReadingRow> = {
  key: ['channelId', 'userId'],
  goesWith: { channelId: { table: 'channel', by: 'sweep' } },
  outlives: { messageId: 'a marker is a place: the message at it may be deleted' },
  insertsMerge: true,
};
