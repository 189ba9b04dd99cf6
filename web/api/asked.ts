import { useCallback, useEffect, useRef, useState } from 'react';

/** The state of a request made by a page. */
export interface Asked<T> {
  /** Undefined until loaded. Keeps its value during a reload. */
  data: T | undefined;
  error: unknown;
  isAsking: boolean;
  /** Reloads. */
  again(): Promise<void>;
  /** Updates the data locally, for example with the response to a change. */
  keep(change: (data: T) => T): void;
}

interface State<T> {
  key: string;
  data?: T;
  error?: unknown;
  isAsking: boolean;
}

/**
 * Loads data when a page opens, and again for each new `key`. For data outside the replica, such as sessions.
 * Events do not update it; call `again` to reload it.
 */
export function useAsked<T>(key: string, ask: () => PromiseLike<T>): Asked<T> {
  const [state, setState] = useState<State<T>>({ key, isAsking: true });
  const latest = useRef({ ask, key, run: 0 });
  latest.current.ask = ask;
  latest.current.key = key;

  const again = useCallback(async () => {
    const run = ++latest.current.run;
    const asked = latest.current.key;
    // Only the latest request may update the state.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the request
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
