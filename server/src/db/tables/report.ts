import { ofServer, type Row, type Table } from './facts.ts';

/** Retention of reports, in milliseconds. */
export const REPORT_MS = 90 * 24 * 60 * 60_000;

/** A message that a member reported to the moderators. */
interface ReportRow extends Row {
  serverId: string;
  /** The channel; null for a direct message, because moderators cannot see it. */
  channelId: string | null;
  messageId: string;
  /** The author of the message. */
  authorId: string;
  /** The member who reported the message. */
  creatorId: string;
  reason: string;
  /** A copy of the reported message; null once the report is closed. */
  copy: { content: string; files: string[] } | null;
  state: 'open' | 'resolved' | 'dismissed';
  closedAt: number | null;
  /** The moderator who closed the report. */
  closerId: string | null;
}

export const report: Table<ReportRow> = {
  key: ['id'],
  json: ['copy'],
  inExportOf: { creatorId: {} },
  goesWith: { ...ofServer, channelId: { table: 'channel', by: 'sweep' } },
  outlives: { messageId: 'the report contains a copy, even if the message was deleted' },
  keptFor: { ms: REPORT_MS, since: 'createdAt' },
  unique: { 'messageId,creatorId': 'you have already reported this message' },
};
