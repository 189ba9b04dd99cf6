import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldedName } from '../lib/foldedName.ts';
import type { SqlDialect } from './contract.ts';

/** The greatest character. It sorts after every text that begins with a given prefix. */
const LAST = '\u{10FFFF}';

/**
 * Columns for prefix lookups, as indexed. After an upgrade, names remain unfolded until upkeep folds them.
 */
const texts = { username: 'username', name: 'coalesce("nameFolded", lower(name))' };

export type Sorted = keyof typeof texts;

/** The text in byte order on both engines, for sorting and seeking. */
export const inBytes = ({ name }: SqlDialect, by: Sorted): RawBuilder<string> =>
  sql.raw(name === 'postgres' ? `(${texts[by]} collate "C")` : texts[by]);

/**
 * The condition that a text starts with `beginning`. Names are compared in folded form, usernames unchanged.
 */
export function startsWith(dialect: SqlDialect, by: Sorted, beginning: string): RawBuilder<SqlBool> {
  const of = inBytes(dialect, by);
  const first = by === 'name' ? foldedName(beginning) : beginning;
  const bound = (text: string) => sql`cast(${text} as text)`;
  return sql`(${of} >= ${bound(first)} and ${of} < ${bound(first + LAST)})`;
}
