import { useCallback, useEffect, useRef, useState } from 'react';

/** A page of a list, as the client returns it. */
type Page<Row> = readonly Row[] & { nextCursor: string | null };

/** A paginated list. */
export interface Pages<Row> {
  /** Undefined until the first page has loaded. */
  rows: readonly Row[] | undefined;
  error: unknown;
  isAsking: boolean;
  hasMore: boolean;
  /** Loads the next page, or retries the page that failed. */
  more(): Promise<void>;
  /** Updates a row locally; undefined removes it. */
  put(id: string, row: Row | undefined): void;
}

interface State<Row> {
  key: string;
  rows?: readonly Row[];
  next: string | null | undefined;
  error?: unknown;
  isAsking: boolean;
}

/**
 * Loads the first page of a list on mount, and further pages with `more`. A new `key` starts over. With
 * `isSearch`, the old rows stay visible until the new ones have loaded.
 */
export function usePages<Row extends { id: string }>(
  key: string,
  ask: (cursor: string | undefined) => PromiseLike<Page<Row>>,
  { isSearch = false }: { isSearch?: boolean } = {},
): Pages<Row> {
  const [state, setState] = useState<State<Row>>({ key, next: undefined, isAsking: true });
  const latest = useRef({ ask, run: 0 });
  latest.current.ask = ask;

  const read = useCallback(
    async (of: string, before: readonly Row[], cursor: string | undefined) => {
      const run = ++latest.current.run;
      const put = (next: State<Row>) => {
        if (latest.current.run === run) setState(next);
      };
      const known = cursor === undefined ? {} : { rows: before };
      setState(({ rows }) => ({
        key: of,
        ...(isSearch ? { rows } : known),
        next: cursor,
        isAsking: true,
      }));
      try {
        const page = await latest.current.ask(cursor);
        put({ key: of, rows: [...before, ...page], next: page.nextCursor, isAsking: false });
      } catch (error) {
        put({ key: of, ...known, next: cursor, error, isAsking: false });
      }
    },
    [isSearch],
  );

  useEffect(() => {
    read(key, [], undefined);
    return () => {
      latest.current.run++;
    };
  }, [key, read]);

  const put = useCallback((id: string, row: Row | undefined) => {
    setState((now) => ({
      ...now,
      rows: now.rows?.flatMap((each) => (each.id !== id ? [each] : row ? [row] : [])),
    }));
  }, []);

  // Hides the rows of another key, unless they stay visible until the new ones have loaded.
  const isPresent = state.key === key;
  return {
    rows: isPresent || isSearch ? state.rows : undefined,
    error: isPresent ? state.error : undefined,
    isAsking: !isPresent || state.isAsking,
    hasMore: isPresent && typeof state.next === 'string',
    more: () => read(key, state.rows ?? [], state.next ?? undefined),
    put,
  };
}
