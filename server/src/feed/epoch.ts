import type { Db } from '../db/contract.ts';
import { find, prepare, q } from '../db/statements.ts';
import type { Deps } from '../lib/deps.ts';

const EPOCH_BYTES = 6;

const set = prepare((p: { name: string; value: string }) =>
  q
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
);

/**
 * Begins a new epoch of the logs if the data have moved: restored from a backup, migrated, or after a failover. Events
 * that clients have seen may be missing from the data, and other events will get their numbers. The ids of events
 * contain the epoch, so no two events have the same id.
 */
export async function beginEpochWhereMoved(
  db: Db,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
): Promise<void> {
  const place = await db.place();
  const knownPlace = find('setting', { name: 'place' });
  if ((await db.read.first(knownPlace))?.value === place) return;
  await db.write(async (tx) => {
    if ((await tx.first(knownPlace))?.value === place) return;
    await tx.run(set({ name: 'place', value: place }));
    await tx.run(set({ name: 'epoch', value: Buffer.from(randomBytes(EPOCH_BYTES)).toString('hex') }));
  });
}
