import type { Kysely } from 'kysely';
import type { Db } from '../../db/contract.ts';
import { type TableName, tableNames, tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';

/** Rows that are removed in one write: few enough that nobody notices. */
const BATCH_ROWS = 500;

/** Removes the rows that have had their time (`keptFor` in the facts of their tables), in small writes. */
export async function forgetRows(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  for (const table of tableNames) {
    const { keptFor } = tables[table];
    if (!keptFor) continue;
    const old = olderThan(table, keptFor.since, now - keptFor.ms);
    await inBatches(() => db.write((tx) => tx.count(old)), signal);
  }
}

/** Removes a batch of rows whose time in a column was by then. */
function olderThan(table: TableName, column: string, until: number) {
  const [key] = tables[table].key as [string];
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  const old = any.selectFrom(table).select(key).where(column, '<=', until).limit(BATCH_ROWS);
  return any.deleteFrom(table as string).where(key, 'in', old);
}

/** Removes the events from before then, but never a server's latest: its number is where the next goes on. */
export async function forgetEvents(db: Db, until: number, signal?: AbortSignal): Promise<void> {
  for (const { id: serverId } of await db.read.all(q.selectFrom('server').select('id'))) {
    const last = await db.read.first(
      q
        .selectFrom('event')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .where('serverId', '=', serverId),
    );
    const old = q
      .deleteFrom('event')
      .where('serverId', '=', serverId)
      .where('at', '<', until)
      // Of the oldest alone, so that a round that finds nothing to forget does not read the whole log.
      .where('seq', 'in', (eb) =>
        eb
          .selectFrom('event')
          .select('seq')
          .where('serverId', '=', serverId)
          .where('seq', '<', last?.seq ?? 0)
          .orderBy('seq')
          .limit(BATCH_ROWS),
      );
    await inBatches(() => db.write((tx) => tx.count(old)), signal);
  }
}

async function inBatches(batch: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await batch()) >= BATCH_ROWS);
}
