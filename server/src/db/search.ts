import type { RawBuilder, SelectQueryBuilder, SqlBool } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { sql } from './kysely.ts';
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

/** The greatest character: it comes after every text that goes on. */
const LAST = '\u{10FFFF}';

/** A text of a row by whose beginning rows are found, as its index has it. */
export type Sorted = 'username' | 'lower(name)';

/** The text in the order of its bytes, on either engine: for the order of a list, and to seek in it. */
export const inBytes = ({ name }: SqlDialect, text: Sorted): RawBuilder<string> =>
  sql.raw(name === 'postgres' ? `(${text} collate "C")` : text);

/** The condition that a text begins with `beginning`; a name in any case of letters. */
export function startsWith(dialect: SqlDialect, text: Sorted, beginning: string): RawBuilder<SqlBool> {
  const bound = (given: string) =>
    text === 'username' ? sql`cast(${given} as text)` : sql`lower(cast(${given} as text))`;
  const of = inBytes(dialect, text);
  return sql`(${of} >= ${bound(beginning)} and ${of} < ${bound(`${beginning}${LAST}`)})`;
}
