import { useCallback, useEffect, useRef, useState } from 'react';

/** A list that is read in pages. */
export interface Pages {
  isLoading: boolean;
  /** The last page is here. */
  isWhole: boolean;
  error: unknown;
  /** Reads the next page; nothing while one is under way, or none is left. */
  more: () => void;
  /** Begins anew. */
  again: () => void;
}

const fresh = { isLoading: true, isWhole: false, error: undefined as unknown };

/**
 * Reads pages while the component is there: the first one at once, and anew when `key` changes. `ask` reads the page at a cursor, puts
 * its rows where they belong, and answers the next cursor. It need not be the same function each time.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is asked
  useEffect(() => {
    again();
    return () => {
      run.current = { number: run.current.number + 1, cursor: undefined, isBusy: false, isWhole: true };
    };
  }, [key, again]);
  return { ...state, more, again };
}
