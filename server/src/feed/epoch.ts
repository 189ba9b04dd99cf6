import { sql } from 'kysely';
import type { Db, Reads } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import type { Deps } from '../lib/deps.ts';

const EPOCH_BYTES = 6;

const set = prepare((p: { name: string; value: string }) =>
  q
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.value })),
);

const known = prepare((_: object) =>
  q
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', [sql.lit('place'), sql.lit('epoch')]),
);

async function placeAndEpoch(db: Reads): Promise<{ place?: string; epoch?: string }> {
  return Object.fromEntries((await db.all(known({}))).map(({ name, value }) => [name, value]));
}

/**
 * Starts a new epoch for all logs if the data moved: a backup was restored, the data was migrated to another
 * database, or there was a failover. Events that clients have seen may then be missing, and new events will
 * reuse their sequence numbers. Because event ids contain the epoch, no two events share an id. Returns the
 * current epoch.
 */
export async function beginEpochWhereMoved(
  db: Db,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
): Promise<string> {
  const place = await db.place();
  const { epoch = '', ...found } = await placeAndEpoch(db.read);
  if (found.place === place) return epoch;
  return db.write(async (tx) => {
    const { epoch = '', ...found } = await placeAndEpoch(tx);
    if (found.place === place) return epoch;
    const next = Buffer.from(randomBytes(EPOCH_BYTES)).toString('hex');
    await tx.run(set({ name: 'place', value: place }));
    await tx.run(set({ name: 'epoch', value: next }));
    return next;
  });
}
