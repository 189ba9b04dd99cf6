import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { matches } from './postgres/search.ts';
import { parseSearch, type SearchIndex } from './searchTerms.ts';
import { hits } from './sqlite/search.ts';

/**
 * Restricts a query of the table `index` to rows that match `text` within `scope` (a server's id, or
 * `public`). Every word in `text` must be a prefix of a word in the row, and every quoted phrase must
 * occur. A text without words matches nothing.
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

/** The greatest character: sorts after every continuation of a prefix. */
const LAST = '\u{10FFFF}';

/** A text column for prefix lookups, as its index has it. */
export type Sorted = 'username' | 'lower(name)';

/** The text in byte order on either engine, for sorting and seeking. */
export const inBytes = ({ name }: SqlDialect, text: Sorted): RawBuilder<string> =>
  sql.raw(name === 'postgres' ? `(${text} collate "C")` : text);

/** The condition that a text starts with `beginning`. Names are compared case-insensitively. */
export function startsWith(dialect: SqlDialect, text: Sorted, beginning: string): RawBuilder<SqlBool> {
  const bound = (given: string) =>
    text === 'username' ? sql`cast(${given} as text)` : sql`lower(cast(${given} as text))`;
  const of = inBytes(dialect, text);
  return sql`(${of} >= ${bound(beginning)} and ${of} < ${bound(`${beginning}${LAST}`)})`;
}
