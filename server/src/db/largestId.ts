import { sql } from 'kysely';
import type { Reader } from './contract.ts';
import { tableNames, tables } from './schema.ts';
import { q } from './statements.ts';

/** The largest id in any table; undefined if there are no rows. */
export async function largestId(db: Reader): Promise<string | undefined> {
  // One statement, because one per table would slow down startup. PostgreSQL has no max() for UUIDs before
  // version 18.
  const newest = tableNames
    .filter((table) => tables[table].key.join() === 'id')
    .map((table) => `select id from (select id from "${table}" order by id desc limit 1) as "${table}"`);
  const all = sql<{ id: string }>`(${sql.raw(newest.join(' union all '))})`.as('newest');
  const row = await db.first(q.selectFrom(all).select('id').orderBy('id', 'desc').limit(1));
  return row?.id;
}
