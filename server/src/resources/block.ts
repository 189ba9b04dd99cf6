import { find, insert, prepare, q, remove } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { isId } from '../lib/deps.ts';
import { body, id, record, reference } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { load, ownTarget, recordOf } from './common.ts';
import { listById } from './lists.ts';

/** Maximum users that a person can block. */
const MAX_BLOCKED = 1_000;

const block = record('Block', { userId: id('You'), blockedId: id('The user you block') });
const toBlock = recordOf(block);

/** The events go to the person's own log, for their other devices. The blocked user is not notified. */
export const blockEvents = eventsOf(
  'block',
  { data: block, audience: 'person', log: 'user' },
  { created: 'You blocked a user', deleted: 'You unblocked a user' },
);

const amountOf = prepare((p: { userId: string }) =>
  q
    .selectFrom('block')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('userId', '=', p.userId),
);

/** Returns the target of a write to the caller's own account and log. */
const toOneself = ({ principal: { userId } }: { principal: { userId: string } }) =>
  Promise.resolve({ serverId: null, ownerId: userId, alsoIn: [userId] });

export const blockOperations = [
  read({
    operation: 'blocks',
    people: true,
    path: '/blocks',
    tag: 'block',
    summary: 'List the users you block',
    visible: 'person',
    answer: block,
    list: 'many',
    target: ownTarget,
    run: ({ db, principal: { userId } }, input) =>
      listById(db, q.selectFrom('block').selectAll().where('userId', '=', userId), input, toBlock),
  }),

  write({
    operation: 'blockInsert',
    people: true,
    path: '/blocks',
    resource: 'block',
    verb: 'insert',
    summary: 'Block a user',
    description:
      'The user cannot start direct messages with you, or write in one between the two of you. Their messages elsewhere do not notify you. The user is not notified of the block. Blocking a user again changes nothing.',
    body: body({ userId: reference('The user to block') }),
    answer: block,
    target: toOneself,
    async run({ db, emit, newRow, principal: { userId } }, { body: { userId: blockedId } }) {
      if (blockedId === userId) throw invalid('wrong_kind', 'userId', 'must not be your own id');
      await load(db, 'user', blockedId);
      const found = await db.first(find('block', { userId, blockedId }));
      if (found) return toBlock(found);
      if (Number((await db.first(amountOf({ userId })))?.amount) >= MAX_BLOCKED)
        throw invalid('quota', '', `you have reached the limit of ${MAX_BLOCKED} blocked users`);
      const row = { ...newRow(), userId, blockedId };
      await db.run(insert('block', row));
      await emit(blockEvents.created, toBlock(row));
      return toBlock(row);
    },
  }),

  write({
    operation: 'blockDelete',
    people: true,
    path: '/blocks/:userId',
    resource: 'block',
    verb: 'delete',
    summary: 'Unblock a user',
    answer: block,
    target: toOneself,
    async run({ db, emit, principal: { userId } }, { params: { userId: blockedId } }) {
      const found = isId(blockedId) ? await db.first(find('block', { userId, blockedId })) : undefined;
      if (!found) throw notFound('block');
      await db.run(remove('block', { id: found.id }));
      await emit(blockEvents.deleted, toBlock(found));
      return toBlock(found);
    },
  }),
];
