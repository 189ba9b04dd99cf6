import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldedName } from '../lib/foldedName.ts';
import type { SqlDialect } from './contract.ts';

/** The greatest character, which sorts after every continuation of a prefix. */
const LAST = '\u{10FFFF}';

/** Texts for prefix lookups, as their indexes have them. After an upgrade, upkeep has yet to fold names. */
const texts = { username: 'username', name: 'coalesce("nameFolded", lower(name))' };

export type Sorted = keyof typeof texts;

/** The text in byte order on either engine, for sorting and seeking. */
export const inBytes = ({ name }: SqlDialect, by: Sorted): RawBuilder<string> =>
  sql.raw(name === 'postgres' ? `(${texts[by]} collate "C")` : texts[by]);

/** The condition that a text starts with `beginning`. Names are compared folded, usernames as they are. */
export function startsWith(dialect: SqlDialect, by: Sorted, beginning: string): RawBuilder<SqlBool> {
  const of = inBytes(dialect, by);
  const first = by === 'name' ? foldedName(beginning) : beginning;
  const bound = (text: string) => sql`cast(${text} as text)`;
  return sql`(${of} >= ${bound(first)} and ${of} < ${bound(first + LAST)})`;
}
