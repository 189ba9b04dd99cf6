import { sql } from 'kysely';
import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q } from '../db/statements.ts';
import { isConnected } from '../feed/presenceRows.ts';

/** A queued push, with its device and the person. */
export type Due = Awaited<ReturnType<typeof duePushes>>[number];

type Place = Pick<RowOf<'push'>, 'pushSubscriptionId' | 'channelId' | 'messageId'>;

/** Returns up to `limit` pushes that are due at `now`, in ms. Skips the servers in `except`. */
export async function duePushes(db: Pick<Db, 'read'>, now: number, limit: number, except: readonly string[]) {
  let rows = q
    .selectFrom('push')
    .innerJoin('pushSubscription as device', 'device.id', 'push.pushSubscriptionId')
    .innerJoin('session', 'session.id', 'device.sessionId')
    .innerJoin('user', 'user.id', 'device.userId')
    .leftJoin('person', 'person.id', 'user.id')
    .leftJoin('presence', 'presence.id', 'user.id')
    .leftJoin('server', 'server.id', 'push.serverId')
    .leftJoin('user as owner', 'owner.id', 'server.creatorId')
    .selectAll('push')
    .select(['device.userId', 'device.sealed', 'device.language', 'device.maySilence', 'device.silenced'])
    .select([
      'session.expiresAt',
      'user.suspendedAt',
      'person.pushContent',
      'person.quietHours',
      'presence.status',
    ])
    .select(['server.creatorId', 'owner.platformAdmin as isOfAdmin'])
    .select(isConnected('user.id', now).as('isOnline'))
    .where('push.dueAt', '<=', now)
    .orderBy('push.dueAt')
    .limit(limit);
  if (except.length > 0) rows = rows.where('push.serverId', 'not in', except);
  return (await db.read.all(rows)).map((row) => ({ ...row, isOnline: Boolean(row.isOnline) }));
}

/**
 * Claims a push for one attempt. Another node may retry it at `dueAt`, in ms. Returns false if another node
 * has claimed it, or a newer message has replaced it.
 */
export async function claim(db: Pick<Db, 'write'>, push: Due, dueAt: number): Promise<boolean> {
  const claimed = ofMessage(q.updateTable('push').set({ attempts: push.attempts + 1, dueAt }), push)
    .where('attempts', '=', push.attempts)
    .where('isShown', '=', push.isShown);
  return (await db.write((tx) => tx.count(claimed))) > 0;
}

/** Postpones a claimed push, unless a newer message has replaced it. */
export async function postpone(db: Pick<Db, 'write'>, push: Due, dueAt: number): Promise<void> {
  await db.write((tx) => tx.run(ofMessage(q.updateTable('push').set({ dueAt }), push)));
}

/**
 * Records that the push service accepted the push. The notification can then be closed once the message is
 * read.
 */
export async function noteShown(db: Pick<Db, 'write'>, push: Due, dueAt: number): Promise<void> {
  await db.write((tx) =>
    tx.run(ofMessage(q.updateTable('push').set({ isShown: true, attempts: 0, dueAt }), push)),
  );
}

/** If a newer message replaced the push while it was being sent, makes that message due. */
export async function sendNewer(db: Pick<Db, 'write'>, push: Due, dueAt: number): Promise<void> {
  const { pushSubscriptionId, channelId, messageId } = push;
  const newer = q
    .updateTable('push')
    .set({ attempts: 0, dueAt })
    .where('pushSubscriptionId', '=', pushSubscriptionId)
    .where('channelId', '=', channelId)
    .where('messageId', '!=', messageId);
  await db.write((tx) => tx.run(newer));
}

/** Counts a silent push to a device. */
export async function noteSilenced(db: Pick<Db, 'write'>, { pushSubscriptionId: id }: Due): Promise<void> {
  const counted = q
    .updateTable('pushSubscription')
    .set((eb) => ({ silenced: eb('silenced', '+', sql.lit(1)) }))
    .where('id', '=', id);
  await db.write((tx) => tx.run(counted));
}

/** Removes a push, unless a newer message has replaced it. */
export async function drop(db: Pick<Db, 'write'>, push: Due): Promise<void> {
  await db.write((tx) => tx.run(ofMessage(q.deleteFrom('push'), push)));
}

/**
 * Removes a device whose subscription no longer exists at its push service, unless it has subscribed again in
 * the meantime.
 */
export async function removeDevice(
  db: Pick<Db, 'write'>,
  { pushSubscriptionId, sealed }: Due,
): Promise<void> {
  const gone = q
    .deleteFrom('pushSubscription')
    .where('id', '=', pushSubscriptionId)
    .where('sealed', '=', sealed);
  await db.write((tx) => tx.run(gone));
}

function ofMessage<Q extends { where(column: never, operator: '=', value: never): Q }>(
  query: Q,
  place: Place,
): Q {
  const { pushSubscriptionId, channelId, messageId } = place;
  const columns = Object.entries({ pushSubscriptionId, channelId, messageId });
  return columns.reduce((some, [column, value]) => some.where(column as never, '=', value as never), query);
}
