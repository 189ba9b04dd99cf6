import type { Table } from './facts.ts';

/**
 * A queued item that failed and will be retried (`db/failures.ts`). Emails and webhooks have their own
 * columns for this.
 */
interface FailureRow {
  /** The queue, a colon, and the item's id in the queue. */
  item: string;
  queue: 'clock' | 'erasure' | 'files' | 'retention' | 'search' | 'sweeps';
  /** The number of consecutive failed attempts. */
  attempts: number;
  /** When the first of these attempts failed. */
  since: number;
  /** When the next attempt is due. */
  nextAt: number;
  /** The last error. */
  reason: string;
}

const DAY_MS = 24 * 60 * 60_000;

export const failure: Table<FailureRow> = {
  key: ['item'],
  // An item that still exists has been retried long before its row expires.
  keptFor: { ms: DAY_MS, since: 'nextAt' },
};
