import type { Row, Table } from './facts.ts';

/**
 * A person who gets emails about missed mentions and direct messages. The id is that of the user. Other
 * people have no row.
 */
interface EmailDigestRow extends Row {
  /** When to check for missed messages; null while there are none. */
  dueAt: number | null;
  /** When the last digest was sent; null if none was. */
  sentAt: number | null;
  /** The minimum time between the last digest and the next one, in ms. */
  waitMs: number;
  /** The latest notification in a digest. Later digests contain only newer ones. */
  notificationId: string;
}

export const emailDigest: Table<EmailDigestRow> = {
  key: ['id'],
  inExportOf: { id: {} },
  outlives: { notificationId: 'it stores a position, so it stays valid after the notification is deleted' },
};

/** How long a message must be unread before a digest mentions it, in ms. */
export const UNREAD_MS = 10 * 60_000;

/**
 * The minimum time between the first digest and the second one, in ms. It doubles with each further digest,
 * up to a day, until the person comes back.
 */
export const FIRST_WAIT_MS = 20 * 60_000;
