import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SqlDialect } from './contract.ts';

/** The greatest character, which sorts after every continuation of a prefix. */
const LAST = '\u{10FFFF}';

/** A text column for prefix lookups, as stored in its index. */
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
