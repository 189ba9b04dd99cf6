import type { Kysely } from 'kysely';
import type { Db } from '../../db/contract.ts';
import { type TableName, tableNames, tables } from '../../db/schema.ts';
import { prepare, q } from '../../db/statements.ts';

/** Maximum rows removed in one write, few enough not to delay other writes. */
const BATCH_ROWS = 500;

/** Removes expired rows (`keptFor` in the facts of their tables), in small writes. */
export async function forgetRows(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  for (const table of tableNames) {
    const { keptFor } = tables[table];
    if (!keptFor) continue;
    const old = olderThan(table, keptFor.since, now - keptFor.ms);
    await inBatches(() => db.write((tx) => tx.count(old)), signal);
  }
}

/** A delete of up to `BATCH_ROWS` rows whose time in `column` is at or before `until`, in milliseconds. */
function olderThan(table: TableName, column: string, until: number) {
  const [key] = tables[table].key as [string];
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  const old = any.selectFrom(table).select(key).where(column, '<=', until).limit(BATCH_ROWS);
  return any.deleteFrom(table as string).where(key, 'in', old);
}

const nextLog = prepare((p: { after: string }) =>
  q.selectFrom('event').select('logId').where('logId', '>', p.after).orderBy('logId').limit(1),
);

const lastOf = prepare((p: { logId: string }) =>
  q
    .selectFrom('event')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('logId', '=', p.logId),
);

/** Sorts before every identifier. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Removes events older than `until` (milliseconds), except the latest of each log, from which the next number follows.
 */
export async function forgetEvents(db: Db, until: number, signal?: AbortSignal): Promise<void> {
  let logId: string | undefined = NO_ID;
  while (!signal?.aborted) {
    logId = (await db.read.first(nextLog({ after: logId })))?.logId;
    if (!logId) return;
    const last = await db.read.first(lastOf({ logId }));
    const old = oldestOf(logId, last?.seq ?? 0, until);
    await inBatches(() => db.write((tx) => tx.count(old)), signal);
  }
}

/** A delete of events before `seq` and `until` among the oldest `BATCH_ROWS`, so that it never reads the whole log. */
const oldestOf = (logId: string, seq: number, until: number) =>
  q
    .deleteFrom('event')
    .where('logId', '=', logId)
    .where('at', '<', until)
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('event')
        .select('seq')
        .where('logId', '=', logId)
        .where('seq', '<', seq)
        .orderBy('seq')
        .limit(BATCH_ROWS),
    );

async function inBatches(batch: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await batch()) >= BATCH_ROWS);
}
