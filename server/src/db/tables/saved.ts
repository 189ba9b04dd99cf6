import { ofServer, type Row, type Table } from './facts.ts';

/** A message that a person saved, optionally with a reminder. */
interface SavedRow extends Row {
  userId: string;
  serverId: string;
  channelId: string;
  messageId: string;
  /** When to remind the person. Null if there is no reminder, or once the person has been reminded. */
  remindAt: number | null;
}

const LISTED = 'the saved message is listed without its content';

export const saved: Table<SavedRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  outlives: { channelId: LISTED, messageId: LISTED },
  unique: { 'userId,messageId': 'you have already saved this message' },
};
