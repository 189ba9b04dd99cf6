import type { Kysely } from 'kysely';
import { hangingOn } from '../../db/bonds.ts';
import type { Db } from '../../db/contract.ts';
import { q, remove } from '../../db/statements.ts';

/** Rows that are removed in one write: few enough that nobody notices. */
const BATCH_ROWS = 500;

/** Removes what deleted channels have left, in small writes. */
export async function sweepAll(db: Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await sweepBatch(db)));
}

/** Removes a batch of rows; false if there was nothing to do. */
function sweepBatch(db: Db): Promise<boolean> {
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const any = q as Kysely<any>;
  return db.write(async (tx) => {
    const swept = await tx.first(q.selectFrom('sweep').selectAll().limit(1));
    if (!swept) return false;
    const { channelId } = swept;
    for (const { table, column } of hangingOn('channel', 'sweep')) {
      const some = any.selectFrom(table).select('id').where(column, '=', channelId).limit(BATCH_ROWS);
      if ((await tx.count(any.deleteFrom(table as string).where('id', 'in', some))) > 0) return true;
    }
    await tx.run(remove('sweep', { channelId }));
    return true;
  });
}
