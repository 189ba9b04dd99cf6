import { ofServer, type Row, type Table } from './facts.ts';

/** A message that a person saved, optionally with a reminder. */
interface SavedRow extends Row {
  userId: string;
  serverId: string;
  channelId: string;
  messageId: string;
  /** Null without a reminder, and once the person was reminded. */
  remindAt: number | null;
}

const LISTED = 'it is listed without its content';

export const saved: Table<SavedRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  outlives: { channelId: LISTED, messageId: LISTED },
  unique: { 'userId,messageId': 'you have already saved this message' },
};
