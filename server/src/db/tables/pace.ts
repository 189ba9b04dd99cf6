import type { Table } from './facts.ts';

/** Maximum slow mode of a channel, in seconds. */
export const MAX_SLOW_SECONDS = 6 * 60 * 60;

/** When a member last sent a message in a channel with slow mode. Deleting the message does not change it. */
interface PaceRow {
  id: string;
  channelId: string;
  userId: string;
  sentAt: number;
}

export const pace: Table<PaceRow> = {
  key: ['id'],
  inExportOf: { userId: { isScanned: true } },
  goesWith: { channelId: { table: 'channel', by: 'sweep' } },
  keptFor: { ms: MAX_SLOW_SECONDS * 1_000, since: 'sentAt' },
  neverTaken: { 'channelId,userId': 'a member sends one message at a time, and the row is replaced' },
};
