import { expressionBuilder, sql } from 'kysely';
import type { Tx } from './contract.ts';
import type { RowOf, Tables } from './schema.ts';
import { insert, prepare, q, remove, update } from './statements.ts';

type Gone = Pick<RowOf<'sweep'>, 'noun' | 'id' | 'serverId' | 'channelId' | 'actorId'>;

/**
 * Marks a thing that is gone while rows that go with it are left (docs/decisions/0020): they are out of sight from now on, and
 * swept soon.
 */
export async function mark(tx: Tx, { noun, id, serverId, channelId, actorId }: Gone): Promise<void> {
  await tx.run(insert('sweep', { noun, id, serverId, channelId, actorId, owner: null, ownedUntil: 0 }));
  if (channelId !== null) await tx.run(update('channel', channelId, { isBeingSwept: true }));
}

/** Takes the mark away, once nothing is left. */
export async function unmark(tx: Tx, { id, channelId }: Pick<Gone, 'id' | 'channelId'>): Promise<void> {
  await tx.run(remove('sweep', { id }));
  if (channelId !== null) await tx.run(noteOthers({ channelId }));
}

const noteOthers = prepare((p: { channelId: string }) =>
  q
    .updateTable('channel')
    .set((eb) => ({
      isBeingSwept: sql<boolean>`exists ${eb.selectFrom('sweep').select('id').where('channelId', '=', p.channelId)}`,
    }))
    .where('id', '=', p.channelId),
);

const messages = expressionBuilder<Tables, 'message'>();

/** The condition that a message is no reply in a thread that is gone. */
export const isInSight = messages.not(
  messages.exists(
    messages.selectFrom('sweep').select('sweep.id').whereRef('sweep.id', '=', 'message.threadId'),
  ),
);

const notifications = expressionBuilder<Tables, 'notification'>();

/** The condition that the message of a notification is there and in sight. */
export const isOfMessageInSight = notifications.exists(
  notifications
    .selectFrom('message')
    .select('message.id')
    .whereRef('message.id', '=', 'notification.messageId')
    .where(isInSight),
);
