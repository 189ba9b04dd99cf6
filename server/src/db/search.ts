import type { SelectQueryBuilder } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { matches } from './postgres/search.ts';
import { parseSearch, type SearchIndex } from './searchTerms.ts';
import { hits } from './sqlite/search.ts';

/**
 * Restricts a query of the table `index` to rows that match `text` within `scope` (the id of a server, or `public`). Every word of `text` must begin a word of the row, and every quoted phrase must occur. A text without
 * words matches nothing.
 */
// biome-ignore lint/suspicious/noExplicitAny: any table and selection; only the rows are restricted
export function searching<Q extends SelectQueryBuilder<any, any, any>>(
  rows: Q,
  { name }: SqlDialect,
  index: Exclude<SearchIndex, 'message'>,
  scope: string,
  text: string,
): Q {
  const search = parseSearch(text);
  if (name === 'postgres') return rows.where(matches(index, scope, search)) as Q;
  return rows.innerJoin(hits(index, scope, search).as('hit'), 'hit.ord', `${index}.ord`) as unknown as Q;
}
