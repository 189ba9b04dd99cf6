import { useRows } from '../../../replica/hooks.ts';
import type { Indexes, Noun, Rows } from '../../../replica/types.ts';
import { type Pages, usePages } from './usePages.ts';

/** The nouns that the replica indexes by server. */
type ListedNoun = { [N in Noun]: 'serverId' extends Indexes[N] ? N : never }[Noun];
type Page<N extends ListedNoun> = readonly Rows[N][] & {
  nextCursor: string | null;
  expanded?: unknown;
};

interface Naming {
  users?: Record<string, Rows['user']>;
}

interface ServerList<N extends ListedNoun, P> {
  pages: Pages<P>;
  /** The rows, newest first and kept up to date. IDs sort by creation time. */
  rows: readonly Rows[N][];
}

/**
 * Loads one of a server's lists, and the users that it refers to, into the replica. If `ask` is false, nothing
 * is loaded.
 */
export function useServerList<N extends ListedNoun, P extends Page<N>>(
  noun: N,
  serverId: string,
  ask: ((cursor: string | undefined) => PromiseLike<P>) | false,
): ServerList<N, P> {
  const pages = usePages(serverId, ask || undefined, (page) => ({
    [noun]: page,
    user: Object.values((page.expanded as Naming | undefined)?.users ?? {}),
  }));
  const rows = useRows(noun, 'serverId', serverId);
  return { pages, rows: rows.toSorted((one, other) => (one.id > other.id ? -1 : 1)) };
}
