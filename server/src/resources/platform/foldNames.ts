import { sql } from 'kysely';
import type { Db } from '../../db/contract.ts';
import { prepare, q, update } from '../../db/statements.ts';
import { foldedName } from '../../lib/foldedName.ts';

/** Number of names to fold per write. */
const BATCH = 200;

const unfolded = (['user', 'server'] as const).map((table) => ({
  table,
  some: prepare(() =>
    q
      .selectFrom(table)
      .select(['id', 'name'])
      .where('nameFolded', 'is', null)
      .orderBy('id')
      .limit(sql.lit(BATCH)),
  ),
}));

/**
 * Stores the folded form of names for the lists of users and servers, in small writes. It is missing if the
 * name was stored by an earlier version.
 */
export async function foldNames(db: Db, goesOn: () => Promise<boolean>): Promise<void> {
  for (const { table, some } of unfolded)
    while ((await db.read.first(some({}))) && (await goesOn()))
      await db.write(async (tx) => {
        for (const { id, name } of await tx.all(some({})))
          await tx.run(update(table, id, { nameFolded: foldedName(name) }));
      });
}
