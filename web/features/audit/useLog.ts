import { useCallback, useEffect, useRef, useState } from 'react';
import { patiently } from '../../api/patiently.ts';
import { readLog } from '../../api/raw.ts';
import type { LogEvent } from './logEvent.ts';

/** The loaded part of a log. */
interface Part {
  /** Oldest first. */
  events: readonly LogEvent[];
  /** True if the log is loaded back to its beginning. */
  isWhole: boolean;
}

/** A log and its loading state. */
export interface Log extends Part {
  isReading: boolean;
  error: unknown;
  /** False once the beginning of the log, or the time `since`, has been reached. */
  hasMore: boolean;
  /** Loads older events. */
  more(): void;
  /**
   * Loads everything back to `since`. Resolves with all events. Resolves with undefined if a request failed,
   * which sets `error`, or if another load started.
   */
  all(): Promise<Part | undefined>;
  /** Reloads from the newest event. The old events stay until the new ones have loaded. */
  again(): void;
}

const begin = {
  events: [] as readonly LogEvent[],
  isWhole: false,
  isReading: true,
  error: undefined as unknown,
};

/** The loaded pages, newest first, and the cursor of the next one. */
interface LoadedLog {
  pages: (readonly LogEvent[])[];
  oldest: number;
  cursor: string | undefined;
  isWhole: boolean;
}

/**
 * Loads a server's events of some types, from the newest back to the time `since`: `stretch` pages of 100
 * at a time.
 */
export function useLog(serverId: string, types: string, stretch: number, since = 0): Log {
  const [state, setState] = useState(begin);
  const at = useRef<LoadedLog>(undefined);
  const reading = useRef<AbortController>(undefined);
  const until = useRef(since);
  useEffect(() => {
    until.current = since;
  });

  const read = useCallback(
    async (most: number, isAnew = false): Promise<Part | undefined> => {
      reading.current?.abort();
      const mine = new AbortController();
      reading.current = mine;
      const { signal } = mine;
      const place: LoadedLog = (!isAnew && at.current) || {
        pages: [],
        oldest: Number.POSITIVE_INFINITY,
        cursor: undefined,
        isWhole: false,
      };
      const show = (of: { isReading: boolean; error?: unknown }): Part => {
        const part = { events: place.pages.flat().toReversed(), isWhole: place.isWhole };
        setState({ error: undefined, ...part, ...of });
        return part;
      };
      setState((shown) => ({ ...shown, isReading: true, error: undefined }));
      try {
        for (let turn = 0; turn < most && !place.isWhole && place.oldest >= until.current; turn++) {
          const page = await patiently(
            () => readLog(serverId, { types, before: place.cursor, signal }),
            signal,
          );
          if (signal.aborted) return undefined;
          place.pages.push(page.events);
          place.oldest = page.events.at(-1)?.at ?? place.oldest;
          place.cursor = page.nextCursor;
          place.isWhole = !page.hasMore;
          at.current = place;
          // Renders after every page of the first batch, then once per batch.
          if (turn < stretch || turn % stretch === 0) show({ isReading: true });
        }
      } catch (error) {
        if (signal.aborted) return undefined;
        if (at.current === place) show({ isReading: false, error });
        else setState((shown) => ({ ...shown, isReading: false, error }));
        return undefined;
      }
      return show({ isReading: false });
    },
    [serverId, types, stretch],
  );

  useEffect(() => {
    at.current = undefined;
    setState(begin);
    read(stretch);
    return () => reading.current?.abort();
  }, [read, stretch]);

  return {
    ...state,
    hasMore: !state.isWhole && (state.events[0]?.at ?? since) >= since,
    more: () => void read(stretch),
    all: () => read(Number.POSITIVE_INFINITY),
    again: () => void read(stretch, true),
  };
}
