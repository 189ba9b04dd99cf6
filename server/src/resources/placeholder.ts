import { setTimer } from '../clock/timers.ts';
import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { markUser } from '../db/sweep.ts';
import type { Work } from '../operations/work.ts';
import { load, touched } from './common.ts';

/** Maximum placeholders that an address can claim at once. */
const MAX_CLAIMED = 100;

type Claims = Pick<Work, 'db' | 'now' | 'newRow'>;

/**
 * Claims the placeholders with an address that the account has just verified, except suspended ones and
 * platform admins, because an address must not grant permissions or lift a suspension.
 */
export async function claimByAddress(work: Claims, accountId: string, email: string): Promise<void> {
  const found = await work.db.all(
    q
      .selectFrom('placeholder')
      .innerJoin('user', 'user.id', 'placeholder.id')
      .selectAll('placeholder')
      .where('placeholder.email', '=', email)
      .where('placeholder.accountId', 'is', null)
      .where('user.suspendedAt', 'is', null)
      .where('user.platformAdmin', '=', false)
      .orderBy('placeholder.id')
      .limit(MAX_CLAIMED),
  );
  for (const row of found) {
    if (row.id === accountId) await endPlaceholder(work, row.id);
    else await claim(work, row, accountId);
  }
}

/** Claims a user without an account, who may have been added by an import or on the command line. */
export async function claimUser(work: Claims, userId: string, accountId: string): Promise<void> {
  const { db } = work;
  const known = await db.first(find('placeholder', { id: userId }));
  // The placeholder gets the user's creation time, because rows may have referred to the user since then.
  const { createdAt } = await load(db, 'user', userId);
  const row = known ?? newPlaceholder({ id: userId, now: createdAt, email: null, source: 'palaver' });
  if (!known) await db.run(insert('placeholder', row));
  await claim(work, row, accountId);
}

export const newPlaceholder = ({
  now,
  ...row
}: Pick<RowOf<'placeholder'>, 'id' | 'email' | 'source'> & { now: number }): RowOf<'placeholder'> => ({
  ...row,
  ...{ createdAt: now, updatedAt: now, accountId: null, claimedAt: null, mergedAt: null, place: null },
  serverIds: [],
});

/**
 * Assigns a placeholder to an account. Removes its address, because it is no longer needed, and its links,
 * because they must not create a second account.
 */
async function claim(
  { db, now, newRow }: Claims,
  { id }: Pick<RowOf<'placeholder'>, 'id'>,
  accountId: string,
): Promise<void> {
  await db.run(update('placeholder', id, { email: null, accountId, claimedAt: now, updatedAt: now }));
  await db.run(remove('link', { userId: id }));
  await db.run(update('user', id, { suspendedAt: now, suspendedWithId: null }));
  // Until the merge ends, messages can belong to either of the two users, so the account gets a copy of each
  // hold. Afterwards, the original hold covers the account.
  for (const hold of await db.all(find('hold', { userId: id })))
    await db.run(insert('hold', { ...hold, id: newRow().id, userId: accountId }));
  await setTimer(db, { id, kind: 'merge', serverId: null, dueAt: now, now });
}

/** Number of users per statement. */
const BATCH = 200;

/**
 * Merges these users again if they were claimed after `since`, because rows about them were added in the
 * meantime.
 */
export async function mergeAgain(
  tx: Tx,
  { userIds, since, now }: { userIds: readonly string[]; since: number; now: number },
): Promise<void> {
  for (let at = 0; at < userIds.length; at += BATCH) {
    const claimed = q
      .selectFrom('placeholder')
      .select('id')
      .where('id', 'in', userIds.slice(at, at + BATCH))
      .where('claimedAt', '>=', since);
    for (const { id } of await tx.all(claimed)) {
      await tx.run(update('placeholder', id, { place: null, mergedAt: null }));
      await setTimer(tx, { id, kind: 'merge', serverId: null, dueAt: now, now });
    }
  }
}

/** Whether a user was imported and has not been claimed by an account yet. */
export const isUnclaimed = async (db: Reader, id: string): Promise<boolean> =>
  (await db.first(find('placeholder', { id })))?.accountId === null;

/**
 * Makes a user unclaimable, because they now have an account of their own. A sweep notifies their servers.
 */
export async function endPlaceholder({ db, now }: Pick<Work, 'db' | 'now'>, id: string): Promise<void> {
  if ((await db.count(remove('placeholder', { id }))) === 0) return;
  const user = await load(db, 'user', id);
  await db.run(update('user', id, { updatedAt: touched(user, now) }));
  await markUser(db, id);
}

/** Whether users are still being merged into an account. */
export const isMerging = async (db: Reader, accountId: string): Promise<boolean> =>
  (await db.first(
    q.selectFrom('placeholder').select('id').where('accountId', '=', accountId).where('mergedAt', 'is', null),
  )) !== undefined;
