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
 * Begins a new epoch of the log where the data are not where they were: restored from a backup, moved, or after a failover. What
 * others saw happen before may be missing then, and the numbers of those events will be given anew: the epoch, which
 * every event carries in its id, tells them apart.
 */
export async function beginEpochWhereMoved(
  db: Db,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
): Promise<void> {
  const place = await db.place();
  const known = find('setting', { name: 'place' });
  if ((await db.read.first(known))?.value === place) return;
  await db.write(async (tx) => {
    if ((await tx.first(known))?.value === place) return;
    await tx.run(set({ name: 'place', value: place }));
    await tx.run(set({ name: 'epoch', value: Buffer.from(randomBytes(EPOCH_BYTES)).toString('hex') }));
  });
}
