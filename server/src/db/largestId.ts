import type { Reader } from './contract.ts';
import { tableNames, tables } from './schema.ts';
import { q } from './statements.ts';

/** The largest identifier of all rows; undefined if there are none. */
export async function largestId(db: Reader): Promise<string | undefined> {
  const withId = tableNames.filter((table) => tables[table].key.join() === 'id') as 'message'[];
  // Asked for together: one round trip. PostgreSQL has no max() of identifiers before version 18.
  const rows = await Promise.all(
    withId.map((table) => db.first(q.selectFrom(table).select('id').orderBy('id', 'desc').limit(1))),
  );
  return rows
    .flatMap((row) => row?.id ?? [])
    .sort()
    .at(-1);
}
