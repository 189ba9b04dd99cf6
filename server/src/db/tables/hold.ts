import { ofServer, type Row, type Table } from './facts.ts';

/**
 * A legal hold: the content that it covers stays available to platform admins, even after it is deleted for
 * everybody else.
 */
interface HoldRow extends Row {
  serverId: string;
  /** The user whose messages the hold covers; null for all users. */
  userId: string | null;
  /** The channel whose messages the hold covers; null for all channels. */
  channelId: string | null;
  reason: string;
  /** The platform admin who created the hold; null for the operator. */
  creatorId: string | null;
  /** When the hold expires; null if it does not. */
  until: number | null;
  /** When someone ended the hold; null if nobody did, even if `until` has passed. */
  endedAt: number | null;
  /** When the content that only this hold kept was deleted; null before that. */
  releasedAt: number | null;
}

export const hold: Table<HoldRow> = {
  key: ['id'],
  goesWith: ofServer,
  outlives: {
    channelId: "the hold keeps the channel's deleted messages",
  },
};
