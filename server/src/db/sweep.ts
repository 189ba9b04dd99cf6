import { expressionBuilder, sql } from 'kysely';
import type { Tx } from './contract.ts';
import { type RemovalEffects, removeDependents } from './removal.ts';
import type { RowOf, Tables } from './schema.ts';
import { insert, prepare, q, remove, update } from './statements.ts';

/** The default limit of `removeOrMark`. The rest of a larger delete is left to a sweep. */
const ROWS_IN_WRITE = 200;

type Deleted = Pick<RowOf<'sweep'>, 'noun' | 'id' | 'serverId' | 'channelId' | 'actorId' | 'actor'>;

/**
 * Deletes dependents of a deleted row within `limit` (see `removeDependents`), and marks the row for a sweep
 * if there may be more.
 */
export async function removeOrMark(
  tx: Tx,
  deleted: Deleted,
  effects: RemovalEffects,
  limit = ROWS_IN_WRITE,
): Promise<void> {
  const { noun, id } = deleted;
  if (!(await removeDependents(tx, noun, id, limit, effects))) await mark(tx, deleted);
}

/**
 * Marks a deleted row that still has dependents (a tombstone, docs/decisions/0020). Reads hide the dependents
 * from now on, and a sweep deletes them.
 */
export async function mark(tx: Tx, deleted: Deleted): Promise<void> {
  const { noun, id, serverId, channelId, actorId, actor } = deleted;
  const row = { noun, id, serverId, channelId, actorId, actor };
  await tx.run(insert('sweep', { ...row, owner: null, ownedUntil: 0 }));
  if (channelId !== null) await tx.run(update('channel', channelId, { isBeingSwept: true }));
}

/**
 * Marks a user whose memberships have not been updated after a profile change. Does nothing if the user is
 * already marked.
 */
export const markUser = (tx: Tx, id: string): Promise<void> =>
  tx.run(
    q
      .insertInto('sweep')
      .values({
        ...{ noun: 'user', id, serverId: null, channelId: null, actorId: id, actor: 'person' },
        ...{ owner: null, ownedUntil: 0 },
      })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );

/** Removes the mark once no dependents are left. */
export async function unmark(tx: Tx, { id, channelId }: Pick<Deleted, 'id' | 'channelId'>): Promise<void> {
  await tx.run(remove('sweep', { id }));
  if (channelId !== null) await tx.run(updateIsBeingSwept({ channelId }));
}

/** Selects the mark of a deleted row whose messages are being swept, if there is any. */
export const anySweptMessages = prepare(() =>
  q.selectFrom('sweep').select('id').where('channelId', 'is not', null).limit(1),
);

const updateIsBeingSwept = prepare((p: { channelId: string }) =>
  q
    .updateTable('channel')
    .set((eb) => ({
      isBeingSwept: sql<boolean>`exists ${eb.selectFrom('sweep').select('id').where('channelId', '=', p.channelId)}`,
    }))
    .where('id', '=', p.channelId),
);

const messages = expressionBuilder<Tables, 'message'>();

/**
 * The condition that a message is not a reply in a deleted thread. The first term is needed for performance:
 * without it, PostgreSQL would turn `not exists` into a join and read the whole table instead of a page.
 */
export const isInSight = messages.or([
  messages('message.threadId', 'is', null),
  messages.not(
    messages.exists(
      messages.selectFrom('sweep').select('sweep.id').whereRef('sweep.id', '=', 'message.threadId'),
    ),
  ),
]);

const members = expressionBuilder<Tables, 'serverMember'>();

/** The condition that a member is not an agent whose creator has left. */
export const isMemberInSight = members.or([
  members('serverMember.sponsorId', 'is', null),
  members.not(
    members.exists(
      members.selectFrom('sweep').select('sweep.id').whereRef('sweep.id', '=', 'serverMember.sponsorId'),
    ),
  ),
]);

const notifications = expressionBuilder<Tables, 'notification' | 'channel'>();

/** The condition that no running sweep of the channel has deleted or hidden a notification's message. */
export const isOfMessageInSight = notifications.or([
  notifications('channel.isBeingSwept', '=', false),
  notifications.exists(
    notifications
      .selectFrom('message')
      .select('message.id')
      .whereRef('message.id', '=', 'notification.messageId')
      .where(isInSight),
  ),
]);
