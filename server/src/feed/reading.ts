import type { LiveEvent, LoggedEvent } from './logged.ts';

/** One log, or several, read from event to event. */
export interface Reading {
  /** Called when there may be more to read, and for each live event that the viewer sees. */
  onEvents: () => void;
  tellLive: (event: LiveEvent) => void;
  /** Called where the viewer has lost sight of a channel, in the place of the event by which that happened. */
  tellSight: (event: LiveEvent) => void;
  /** Called when a log is another than it was: its cursor is to be sought anew. */
  onLost: () => void;
  /** The place up to which everything was looked at. */
  readonly cursor: string;
  /** True if nothing is known to come after the cursor. */
  readonly isAtEnd: boolean;
  /**
   * The next events, at most `limit`, that the viewer sees and that the filter lets through; fewer, or none, where the log ends
   * or only much of it was looked through. The cursor is then after all events that were looked at.
   */
  next(limit: number): Promise<LoggedEvent[]>;
  /**
   * The same for all that is new, at once, from memory; undefined where something has to be looked up first. Readers at the
   * same place that see all of it get the same list.
   */
  recent(): readonly LoggedEvent[] | undefined;
  /** Ends the reading. */
  close(): void;
}

/** Resolves once something comes after the cursor, or `ms` milliseconds have passed, or `signal` is aborted. */
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
