import { sql } from 'kysely';
import type { Reader } from './contract.ts';
import { tableNames, tables } from './schema.ts';
import { q } from './statements.ts';

/** Returns the largest id in any table; undefined if there are no rows. */
export async function largestId(db: Reader): Promise<string | undefined> {
  // Uses a single statement, because one per table would slow down startup. It reads only the end of one index
  // per table. Does not use max(), which older versions of PostgreSQL lack for UUIDs.
  const largest = tableNames
    .filter((table) => tables[table].key.join() === 'id')
    .map((table) => sql.raw<string | null>(`(select id from "${table}" order by id desc limit 1)`).as(table));
  const row = (await db.first<Record<string, string | null>>(q.selectNoFrom(largest))) ?? {};
  return Object.values(row)
    .filter((id) => id !== null)
    .sort()
    .at(-1);
}
