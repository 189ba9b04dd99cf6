import { useCallback, useEffect, useRef, useState } from 'react';

/** A page of a list, as the client gives it. */
type Page<Row> = readonly Row[] & { nextCursor: string | null };

/** A list that is read page by page. */
export interface Pages<Row> {
  /** Undefined until the first page is there. */
  rows: readonly Row[] | undefined;
  error: unknown;
  isAsking: boolean;
  hasMore: boolean;
  /** Reads the next page, or once more the one that failed. */
  more(): Promise<void>;
  /** Puts a row as it is now; undefined takes it away. */
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
 * Reads the first page of a list when it is shown, further ones by `more`. Another `key` begins anew; with `isSearch` the rows before
 * show until the new ones are there.
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

  // Rows of another question are not shown beside this one, unless they are on their way out.
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
