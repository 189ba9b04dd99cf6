import type { LiveEvent, LoggedEvent } from './logged.ts';

/** A subscription to one log, or to several. */
export interface Reading {
  /** Called when there may be new events. */
  onEvents: () => void;
  /** Called for each live event that the viewer may see. */
  tellLive: (event: LiveEvent) => void;
  /**
   * Called when the viewer lost access to a channel, before `next` returns the batch with the event that
   * caused this.
   */
  tellSight: (event: LiveEvent) => void;
  /**
   * Called when the log was replaced, for example after a failover. The reader has to `seek` its cursor
   * again.
   */
  onLost: () => void;
  /** The position up to which the log was scanned. */
  readonly cursor: string;
  /** Whether no events after the cursor are known. */
  readonly isAtEnd: boolean;
  /** Whether the last call of `next` stopped before the end that the log had when it was called. */
  readonly hasMore: boolean;
  /**
   * Returns up to `limit` next events that match the filter and that the viewer may see. Returns fewer if
   * they reach about `MAX_PAGE_BYTES`, and fewer or none at the end of the log or if it has to skip too many
   * other events. Moves the cursor past all events that were scanned.
   */
  next(limit: number): Promise<LoggedEvent[]>;
  /**
   * Like `next`, but returns all new events synchronously, from memory. If something has to be read from the
   * database first, returns undefined without moving the cursor. Readers that are at the same position and
   * see all events get the same array.
   */
  recent(): readonly LoggedEvent[] | undefined;
  /**
   * Set if the subscription follows memberships. Call this when the viewer's permissions may have changed.
   */
  refresh?(): Promise<void>;
  close(): void;
}

/** Resolves when there are events after the cursor, after `ms` milliseconds, or when `signal` is aborted. */
export function untilMore(reading: Reading, ms: number, signal?: AbortSignal): Promise<void> {
  if (!reading.isAtEnd || signal?.aborted) return Promise.resolve();
  const { onEvents } = reading;
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      reading.onEvents = onEvents;
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    reading.onEvents = done;
  });
}
