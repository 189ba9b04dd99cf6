import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../../../replica/hooks.ts';
import type { SomeRows } from '../../../replica/replica.ts';

/** A paginated list. */
export interface Pages<Page> {
  readonly pages: readonly Page[];
  readonly isReading: boolean;
  /** The error of the latest request. */
  readonly error: unknown;
  readonly hasMore: boolean;
  /** Loads the next page, or retries the page that failed. */
  more(): void;
  /** Reloads from the first page. The old pages stay until the first new page has loaded. */
  reload(): void;
}

interface State<Page> {
  pages: readonly Page[];
  isReading: boolean;
  error: unknown;
}

const empty = { pages: [], isReading: true, error: undefined };

/**
 * Loads a paginated list: the first page at once, further pages with `more`. The rows that `rowsOf`
 * extracts from a page are stored in the replica, which keeps them up to date. A new `key` starts over. If
 * `ask` is undefined, nothing is loaded.
 */
export function usePages<Page extends { nextCursor: string | null }>(
  key: string,
  ask: ((cursor: string | undefined) => PromiseLike<Page>) | undefined,
  rowsOf: (page: Page) => SomeRows = () => ({}),
): Pages<Page> {
  const { load } = useActions();
  const [state, setState] = useState<State<Page>>(empty);
  const latest = useRef({ ask, rowsOf });
  latest.current = { ask, rowsOf };
  // Identifies the latest request. Responses to an earlier key or reload are dropped.
  const turn = useRef(0);

  const read = useCallback(
    async (before: readonly Page[], shown: readonly Page[]) => {
      const mine = ++turn.current;
      const { ask, rowsOf } = latest.current;
      if (!ask) return setState({ pages: [], isReading: false, error: undefined });
      setState({ pages: shown, isReading: true, error: undefined });
      try {
        const page = await load(() => ask(before.at(-1)?.nextCursor ?? undefined), rowsOf);
        if (mine === turn.current) setState({ pages: [...before, page], isReading: false, error: undefined });
      } catch (error) {
        if (mine === turn.current) setState({ pages: shown, isReading: false, error });
      }
    },
    [load],
  );

  const isOpen = ask !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies `ask`
  useEffect(() => {
    read([], []);
    return () => {
      turn.current++;
    };
  }, [key, isOpen, read]);

  return {
    ...state,
    hasMore: state.pages.length > 0 && state.pages.at(-1)?.nextCursor != null,
    more: () => read(state.pages, state.pages),
    reload: () => read([], state.pages),
  };
}
