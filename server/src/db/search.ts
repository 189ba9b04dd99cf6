import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { foldedName } from '../lib/foldedName.ts';
import type { SqlDialect } from './contract.ts';

/** The greatest character. A prefix followed by it sorts after every text that begins with the prefix. */
const LAST = '\u{10FFFF}';

/**
 * The indexed expressions for prefix lookups. After an upgrade, `nameFolded` is null until a background job
 * has computed it.
 */
const texts = { username: 'username', name: 'coalesce("nameFolded", lower(name))' };

export type Sorted = keyof typeof texts;

/** Makes a text sort in byte order on both engines. */
export const inBytes = ({ name }: SqlDialect, by: Sorted): RawBuilder<string> =>
  sql.raw(name === 'postgres' ? `(${texts[by]} collate "C")` : texts[by]);

/**
 * Returns the condition that a text starts with `beginning`. Names are compared in folded form, and usernames
 * as they are.
 */
export function startsWith(dialect: SqlDialect, by: Sorted, beginning: string): RawBuilder<SqlBool> {
  const of = inBytes(dialect, by);
  const first = by === 'name' ? foldedName(beginning) : beginning;
  const bound = (text: string) => sql`cast(${text} as text)`;
  return sql`(${of} >= ${bound(first)} and ${of} < ${bound(first + LAST)})`;
}
