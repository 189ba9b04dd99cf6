import type { Table } from './facts.ts';

/** Channels that were deleted and whose contents have yet to be swept away. */
interface SweepRow {
  channelId: string;
}

export const sweep: Table<SweepRow> = {
  key: ['channelId'],
  outlives: { channelId: 'it stands here because the channel is gone' },
};
