import { useCallback, useEffect, useRef, useState } from 'react';
import { PalaverError, readLog } from '../../../api/index.ts';
import type { LogEvent } from './logEvent.ts';

/** The log as far as it is read. */
export interface Log {
  /** Oldest first. */
  events: readonly LogEvent[];
  isReading: boolean;
  error: unknown;
  /** False once the end of the log is reached, as it was then. */
  hasMore: boolean;
  /** Reads on: what follows, or what has happened since. */
  more(): void;
}

/** So many pages are read at a stretch, of 100 events each: the log begins with the oldest. */
const STRETCH = 20;

const begin = {
  events: [] as readonly LogEvent[],
  isReading: true,
  error: undefined as unknown,
  hasMore: true,
};

/** Reads the events of some types from the log of a server, from the oldest that is kept. */
export function useLog(serverId: string, types: string): Log {
  const [state, setState] = useState(begin);
  const cursor = useRef<string>(undefined);
  const reading = useRef<AbortController>(undefined);

  const more = useCallback(async () => {
    reading.current?.abort();
    const mine = new AbortController();
    reading.current = mine;
    setState((before) => ({ ...before, isReading: true, error: undefined }));
    let hasMore = true;
    try {
      for (let turn = 0; turn < STRETCH && hasMore; turn++) {
        const page = await readLog(serverId, { types, after: cursor.current, signal: mine.signal });
        if (mine.signal.aborted) return;
        cursor.current = page.nextCursor;
        hasMore = page.hasMore;
        setState((before) => ({ ...before, events: [...before.events, ...page.events], hasMore }));
      }
    } catch (error) {
      if (mine.signal.aborted) return;
      // From here the log goes on: older events are no longer kept.
      const start = cursorIn(error);
      if (start !== undefined) {
        cursor.current = start;
        return more();
      }
      setState((before) => ({ ...before, error }));
    }
    setState((before) => ({ ...before, isReading: false }));
  }, [serverId, types]);

  useEffect(() => {
    cursor.current = undefined;
    setState(begin);
    more();
    return () => reading.current?.abort();
  }, [more]);

  return { ...state, more };
}

/** The cursor from which the log can go on, if the error names one. */
function cursorIn(error: unknown): string | undefined {
  const [problem] = error instanceof PalaverError ? error.problems : [];
  return (problem as { cursor?: string } | undefined)?.cursor;
}
