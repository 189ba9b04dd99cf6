import { ofServer, type Row, type Table } from './facts.ts';

/** A message that is sent later as the person who wrote it. */
interface ScheduledMessageRow extends Row {
  userId: string;
  serverId: string;
  channelId: string;
  threadId: string | null;
  replyToId: string | null;
  content: string;
  dueAt: number;
  /** When sending failed; null while the message is waiting. */
  failedAt: number | null;
  /** Why sending failed. */
  failure: string | null;
}

const KEPT = 'the text is kept, and sending fails';

export const scheduledMessage: Table<ScheduledMessageRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: ofServer,
  outlives: { channelId: KEPT, threadId: KEPT, replyToId: KEPT },
};
