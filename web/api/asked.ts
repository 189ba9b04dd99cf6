import { useCallback, useEffect, useRef, useState } from 'react';

/** Something that a page has asked the server for. */
export interface Asked<T> {
  /** Undefined until it is there. What was there stays while it is asked for anew. */
  data: T | undefined;
  error: unknown;
  isAsking: boolean;
  /** Asks anew. */
  again(): Promise<void>;
  /** Puts what is known to be so now, such as the answer of a change. */
  keep(change: (data: T) => T): void;
}

interface State<T> {
  key: string;
  data?: T;
  error?: unknown;
  isAsking: boolean;
}

/**
 * Asks once when a page opens, and once more for each other `key`: for what the replica does not hold, such as sessions. It is
 * kept as long as the page is open, and asked for anew by `again` alone.
 */
export function useAsked<T>(key: string, ask: () => PromiseLike<T>): Asked<T> {
  const [state, setState] = useState<State<T>>({ key, isAsking: true });
  const latest = useRef({ ask, key, run: 0 });
  latest.current.ask = ask;
  latest.current.key = key;

  const again = useCallback(async () => {
    const run = ++latest.current.run;
    const asked = latest.current.key;
    // A later question is the one that counts.
    const put = (next: Partial<State<T>>) => {
      if (latest.current.run !== run) return;
      setState((now) => ({ ...(now.key === asked ? now : { isAsking: true }), ...next, key: asked }));
    };
    put({ isAsking: true });
    try {
      put({ data: await latest.current.ask(), error: undefined, isAsking: false });
    } catch (error) {
      put({ error, isAsking: false });
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another key is another question
  useEffect(() => {
    again();
    return () => {
      latest.current.run++;
    };
  }, [again, key]);

  const keep = useCallback((change: (data: T) => T) => {
    setState((now) => (now.data === undefined ? now : { ...now, data: change(now.data) }));
  }, []);

  const isPresent = state.key === key;
  return {
    data: isPresent ? state.data : undefined,
    error: isPresent ? state.error : undefined,
    isAsking: isPresent ? state.isAsking : true,
    again,
    keep,
  };
}
