import type { LiveEvent, LoggedEvent } from './logged.ts';

/** A reader of one log, or of several. */
export interface Reading {
  /** Called when there may be new events. */
  onEvents: () => void;
  /** Called for each live event that the viewer sees. */
  tellLive: (event: LiveEvent) => void;
  /** Called when the viewer has lost sight of a channel, before `next` gives the events read along with the one that caused it. */
  tellSight: (event: LiveEvent) => void;
  /** Called when the log was replaced, as after a failover: the reader has to `seek` its cursor again. */
  onLost: () => void;
  /** The place up to which the log was looked through. */
  readonly cursor: string;
  /** True if no events after the cursor are known. */
  readonly isAtEnd: boolean;
  /**
   * Up to `limit` next events that the viewer sees and the filter matches. Fewer if these have about `MAX_PAGE_BYTES`.
   * Fewer, or none, at the end of the log, or if too many others lie between. Moves the cursor past all events that were looked at.
   */
  next(limit: number): Promise<LoggedEvent[]>;
  /**
   * All new events, like `next`, but at once, from memory. Undefined, with the cursor unmoved, if something must be
   * read from the database first. Readers at the same place that see all events get the same array.
   */
  recent(): readonly LoggedEvent[] | undefined;
  /** Set for one that follows what its viewer may see of several logs: call it when their permissions may have changed. */
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
