import type { Reader } from '../db/contract.ts';
import { removeDependents } from '../db/removal.ts';
import type { RowOf } from '../db/schema.ts';
import { q, remove } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { keepIfHeld } from '../resources/hold/keep.ts';
import { holdsIn } from '../resources/hold/scope.ts';
import { sweepEffects } from './sweepEffects.ts';

/** Number of messages per write. Each is kept with its versions and files. */
const MESSAGES_IN_WRITE = 20;
/** Maximum rows of a message to delete at once, per table. */
const ROWS_OF_MESSAGE = 200;

type Mark = RowOf<'sweep'>;

const columns: Partial<Record<Mark['noun'], 'channelId' | 'threadId'>> = {
  channel: 'channelId',
  thread: 'threadId',
};

/**
 * Selects the messages in a deleted channel or thread that a hold covers; undefined for other marks, and if
 * there are no holds.
 */
async function heldBelow(db: Reader, { noun, id, serverId }: Mark, now: number) {
  const column = columns[noun];
  if (!column || serverId === null) return undefined;
  const holds = await holdsIn(db, serverId, now);
  if (holds.length === 0) return undefined;
  return q
    .selectFrom('message')
    .selectAll()
    .where(column, '=', id)
    .where((eb) =>
      eb.or(
        holds.map(({ userId, channelId }) =>
          eb.and([
            ...(userId === null ? [] : [eb('creatorId', '=', userId)]),
            ...(channelId === null ? [] : [eb('channelId', '=', channelId)]),
            eb('id', 'is not', null),
          ]),
        ),
      ),
    )
    .orderBy('id')
    .limit(MESSAGES_IN_WRITE);
}

/**
 * Deletes some messages that a hold covers, and keeps copies of them, before a sweep deletes the contents of
 * their channel or thread. Returns false if there were none.
 */
export async function keepSwept(work: Work, mark: Mark): Promise<boolean> {
  const { db } = work;
  const below = await heldBelow(db, mark, work.now);
  const messages = below ? await db.all(below) : [];
  for (const message of messages as RowOf<'message'>[]) {
    await keepIfHeld(work, message);
    const effects = await sweepEffects[mark.noun as 'channel' | 'thread'](work, mark);
    while (!(await removeDependents(db, 'message', message.id, ROWS_OF_MESSAGE, effects))) {}
    await db.run(remove('message', { id: message.id }));
  }
  return messages.length > 0;
}
