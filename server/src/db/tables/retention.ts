import { ofServer, type Table } from './facts.ts';

/** Maximum retention of messages, in days. */
export const MAX_RETENTION_DAYS = 36_500;

/**
 * A channel whose messages expire, and the time of its next check. Channels that keep their messages have no
 * row.
 */
interface RetentionRow {
  /** The id of the channel. */
  id: string;
  serverId: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const retention: Table<RetentionRow> = {
  key: ['id'],
  goesWith: ofServer,
};
