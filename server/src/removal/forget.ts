import type { Kysely } from 'kysely';
import type { Db } from '../db/contract.ts';
import type { Failures } from '../db/failures.ts';
import { type TableName, tableNames, tables } from '../db/schema.ts';
import { q } from '../db/statements.ts';

/** Maximum rows to delete per write, so that other writes are not delayed. */
export const BATCH_ROWS = 500;

/** Called before each write; returns false to stop. */
export type GoesOn = () => Promise<boolean>;

/** Enforces retention by deleting expired rows (`keptFor` in their tables' facts), in small writes. */
export async function forgetRows(db: Db, now: number, steps: Failures, goesOn: GoesOn): Promise<void> {
  for (const table of tableNames) {
    const { keptFor } = tables[table];
    if (!keptFor) continue;
    const old = olderThan(table, keptFor.since, now - keptFor.ms);
    await steps.guard(table, () => inBatches(() => db.write((tx) => tx.count(old)), goesOn));
  }
}

/** Deletes up to `BATCH_ROWS` rows whose time in `column` is at or before `until`, in milliseconds. */
function olderThan(table: TableName, column: string, until: number) {
  const [key] = tables[table].key as [string];
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  const old = any.selectFrom(table).select(key).where(column, '<=', until).limit(BATCH_ROWS);
  return any.deleteFrom(table as string).where(key, 'in', old);
}

/** Repeats a batch until it deletes fewer than `BATCH_ROWS` rows. Returns false if `goesOn` stopped it. */
export async function inBatches(batch: () => Promise<number>, goesOn: GoesOn): Promise<boolean> {
  while (await goesOn()) if ((await batch()) < BATCH_ROWS) return true;
  return false;
}
