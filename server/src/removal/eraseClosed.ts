import { Failures } from '../db/failures.ts';
import type { RowOf } from '../db/schema.ts';
import { find, q } from '../db/statements.ts';
import type { StateLog } from '../lib/outage.ts';
import { system } from '../operations/work.ts';
import { eraseUser, Interrupted } from './erase.ts';
import type { ErasureData } from './erasureData.ts';
import type { GoesOn } from './forget.ts';

/**
 * Number of accounts to erase per round. Each erasure searches all logs, so other background jobs run in
 * between.
 */
const MAX_ERASED = 1;
/** Maximum accounts that may fail in a round. */
const MAX_FAILED = 5;

type ClosedData = Omit<ErasureData, 'actor'> & { log?: StateLog };

/**
 * Erases users who closed their accounts, one after another. If the erasure of a user fails, it backs off.
 */
export async function eraseClosed(data: ClosedData, goesOn: GoesOn): Promise<void> {
  const failures = new Failures(data, 'erasure');
  let erased = 0;
  const next = q.selectFrom('closing').selectAll().where(failures.isDue('closing.id')).orderBy('id').limit(1);
  for (let tried = 0; erased < MAX_ERASED && tried < MAX_FAILED && (await goesOn()); tried++) {
    const closing = await data.db.read.first(next);
    if (!closing) return;
    const failedBefore = await failures.among([closing.id]);
    try {
      await eraseOne(data, closing, goesOn);
      erased++;
    } catch (error) {
      if (error instanceof Interrupted) return;
      await failures.add(closing.id, error);
      continue;
    }
    if (failedBefore.size > 0) await failures.clear(closing.id);
  }
}

async function eraseOne(
  data: ClosedData,
  { id, withMessages }: RowOf<'closing'>,
  goesOn: GoesOn,
): Promise<void> {
  const user = await data.db.read.first(find('user', { id }));
  if (!user) throw new Error('the user does not exist');
  await eraseUser({ ...data, actor: system }, user, { withMessages, goesOn });
}
