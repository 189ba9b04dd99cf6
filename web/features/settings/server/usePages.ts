import { useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../../../replica/hooks.ts';
import type { SomeRows } from '../../../replica/replica.ts';

/** A list that is read in pages. */
export interface Pages<Page> {
  readonly pages: readonly Page[];
  readonly isReading: boolean;
  /** What the latest read threw. */
  readonly error: unknown;
  readonly hasMore: boolean;
  /** Reads the next page, or the one that failed. */
  more(): void;
  /** Reads anew from the beginning; the old pages show until the first new one is there. */
  reload(): void;
}

interface State<Page> {
  pages: readonly Page[];
  isReading: boolean;
  error: unknown;
}

const empty = { pages: [], isReading: true, error: undefined };

/**
 * Reads a list: its first page at once, each further one by `more`. The rows that `rowsOf` finds in a page go into the replica, which
 * keeps them up to date. A new `key` begins anew; `ask` undefined reads nothing.
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
  // Answers to an earlier key, or to an earlier reload, come too late.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for what is asked
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
