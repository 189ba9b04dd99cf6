import { useCallback, useEffect, useRef, useState } from 'react';

/** A list that is loaded page by page. */
export interface Pages {
  isLoading: boolean;
  /** True if the last page is loaded. */
  isWhole: boolean;
  error: unknown;
  /** Loads the next page. Does nothing while one is loading or none is left. */
  more: () => void;
  /** Starts again from the first page. */
  again: () => void;
}

const fresh = { isLoading: true, isWhole: false, error: undefined as unknown };

/**
 * Loads pages while the component is mounted: the first page immediately, and again when `key` changes.
 * `ask` reads the page at a cursor, stores its rows, and resolves with the next cursor. `ask` may be a
 * different function on each render.
 */
export function usePages(
  key: string,
  ask: (cursor: string | undefined, isFirst: boolean) => Promise<string | null>,
): Pages {
  const [state, setState] = useState(fresh);
  const asked = useRef(ask);
  asked.current = ask;
  const run = useRef({ number: 0, cursor: undefined as string | undefined, isBusy: false, isWhole: false });

  const read = useCallback(async (isFirst: boolean) => {
    const mine = run.current;
    if (!isFirst && (mine.isBusy || mine.isWhole)) return;
    mine.isBusy = true;
    setState((now) => ({ ...now, isLoading: true, error: undefined }));
    try {
      const next = await asked.current(mine.cursor, isFirst);
      if (run.current !== mine) return;
      mine.cursor = next ?? undefined;
      mine.isWhole = next === null;
      setState({ isLoading: false, isWhole: mine.isWhole, error: undefined });
    } catch (error) {
      if (run.current === mine) setState({ isLoading: false, isWhole: false, error });
    } finally {
      mine.isBusy = false;
    }
  }, []);

  const again = useCallback(() => {
    run.current = { number: run.current.number + 1, cursor: undefined, isBusy: false, isWhole: false };
    setState(fresh);
    void read(true);
  }, [read]);
  const more = useCallback(() => void read(false), [read]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list
  useEffect(() => {
    again();
    return () => {
      run.current = { number: run.current.number + 1, cursor: undefined, isBusy: false, isWhole: true };
    };
  }, [key, again]);
  return { ...state, more, again };
}
