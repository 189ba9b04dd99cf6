import type { Table } from './facts.ts';

/** A person's notification level. */
export type Level = 'all' | 'mentions' | 'nothing';

/**
 * A person's read marker, notification level and list settings in a channel. The row is kept small, because
 * there is one per person and channel.
 */
interface ChannelReadingRow {
  channelId: string;
  userId: string;
  /** The read marker: messages with greater ids are unread. Null if there is none. */
  messageId: string | null;
  /** When the person last marked something as unread, in ms; 0 for never. */
  unreadAt: number;
  /** Null to inherit the server's level. */
  level: Level | null;
  mutedUntil: number | null;
  /** Whether the channel is listed under the person's favorites. */
  favorite: boolean;
  /**
   * Whether the person left the channel. The channel is then not listed, and only mentions of the person's
   * name notify them.
   */
  hidden: boolean;
}

export const channelReading: Table<ChannelReadingRow> = {
  key: ['channelId', 'userId'],
  inExportOf: { userId: {} },
  goesWith: { channelId: { table: 'channel', by: 'sweep' } },
  outlives: { messageId: 'a read marker stores a position, so it stays valid after its message is deleted' },
  insertsMerge: true,
};
