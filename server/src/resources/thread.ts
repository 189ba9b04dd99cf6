import Type from 'typebox';
import { ROWS_IN_WRITE, removeHanging } from '../db/removal.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, prepare, q, remove, update } from '../db/statements.ts';
import { mark } from '../db/sweep.ts';
import { invalid } from '../errors.ts';
import { read, type Work, write } from '../http/endpoint.ts';
import { exampleOf, SAMPLE_TIME, sampleId } from '../http/examples.ts';
import { body, count, flag, id, name, nullable, optional, record, reference, time } from '../http/fields.ts';
import { channelTarget } from './channel.ts';
import { load, pageOf, recordOf, sent, touched } from './common.ts';
import { messageTarget, threadTarget } from './message/load.ts';
import { shownMessage, toMessage } from './message/record.ts';

/** How many replies `threadWithMessages` shows at once (decisions, part 4). */
const REPLIES = 1000;

const threadName = nullable(name(undefined, 'Release plan'));
const fields = {
  serverId: id(),
  channelId: id(),
  messageId: nullable(id('The message that it hangs on'), sampleId('message')),
  name: threadName,
  creatorId: id(),
  locked: flag('Takes replies from admins and moderators only'),
  replyCount: count(undefined, 1),
  lastReplyAt: nullable(time(), SAMPLE_TIME),
};

const thread = record('Thread', fields);
const toThread = recordOf(thread);
const reply = { ...exampleOf(shownMessage, 'reply'), isThreadReply: true, threadId: sampleId('thread') };
const threadWithMessages = record('ThreadWithMessages', {
  ...fields,
  messages: Type.Array(Type.Unsafe({ $ref: `${(shownMessage as { $id?: string }).$id}#` }), {
    description: 'Oldest first',
    examples: [[reply]],
  }),
  nextCursor: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'For the replies after the first 1,000',
  }),
});

export const threadEndpoints = [
  read({
    operation: 'threadWithMessages',
    path: '/threads/:threadId',
    tag: 'thread',
    summary: 'A thread and all its messages',
    visible: 'channel',
    answer: threadWithMessages,
    list: 'within',
    target: ({ db }, { params }) => threadTarget(db, params.threadId),
    async run({ db }, { params, after }, target) {
      let rows = q
        .selectFrom('message')
        .selectAll()
        .where('threadId', '=', params.threadId)
        .orderBy('id')
        .limit(REPLIES + 1);
      if (after) rows = rows.where('id', '>', after[0] as string);
      const { records, next } = pageOf(await db.all(rows), REPLIES, (row) => [row.id], toMessage);
      return { of: { ...toThread((await target).thread), messages: records }, next };
    },
  }),

  read({
    operation: 'threadsByMessageId',
    path: '/messages/:messageId/threads',
    tag: 'thread',
    summary: 'Threads attached to a message',
    visible: 'channel',
    answer: thread,
    list: 'many',
    target: ({ db }, { params }) => messageTarget(db, params.messageId),
    async run({ db }, { params, query, after }) {
      let rows = q
        .selectFrom('thread')
        .selectAll()
        .where('messageId', '=', params.messageId)
        .orderBy('id')
        .limit(query.limit + 1);
      if (after) rows = rows.where('id', '>', after[0] as string);
      return pageOf(await db.all(rows), query.limit, (row) => [row.id], toThread);
    },
  }),

  read({
    operation: 'threadById',
    path: '/threads/:threadId/info',
    tag: 'thread',
    summary: 'Thread metadata',
    visible: 'channel',
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.threadId),
    run: async (_call, _input, target) => toThread((await target).thread),
  }),

  write({
    operation: 'threadInsert',
    method: 'POST',
    path: '/threads',
    resource: 'thread',
    verb: 'insert',
    summary: 'Start a thread',
    body: body({
      channelId: optional(reference('Required without messageId')),
      messageId: optional(reference('The message that it hangs on')),
      name: optional(threadName),
    }),
    examples: {
      'On a message': { messageId: sampleId('message'), name: 'Release plan' },
      'In a channel': { channelId: sampleId('channel'), name: 'Release plan' },
    },
    answer: thread,
    check({ body }) {
      if (body.channelId === undefined && body.messageId === undefined)
        throw invalid('channelId', 'is required');
    },
    async target({ db }, { body }) {
      const root = body.messageId === undefined ? undefined : await messageTarget(db, body.messageId);
      const place = root ?? (await channelTarget(db, body.channelId as string));
      if (body.channelId !== undefined && body.channelId !== place.channel.id) {
        await load(db, 'channel', body.channelId);
        throw invalid('channelId', 'is not the channel of the message');
      }
      return { serverId: place.serverId, channel: place.channel, message: root?.message };
    },
    async run(call, { body }, { serverId, channel, message }) {
      const { db, newRow, principal } = call;
      const row = {
        ...newRow(),
        serverId,
        channelId: channel.id,
        messageId: message?.id ?? null,
        name: body.name ?? null,
        creatorId: principal.userId,
        locked: false,
        replyCount: 0,
        lastReplyAt: null,
      };
      await db.run(insert('thread', row));
      await follow(call, row.id, [principal.userId, ...(message ? [message.creatorId] : [])]);
      return toThread(row);
    },
  }),

  write({
    operation: 'threadUpdate',
    method: 'PATCH',
    path: '/threads/:id',
    resource: 'thread',
    verb: 'update',
    summary: 'Rename a thread, lock or unlock it',
    body: body({ id: optional(reference()), name: optional(threadName), locked: optional(fields.locked) }),
    examples: { Example: { locked: true } },
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.id),
    async run({ db, now }, { body }, { thread: found }) {
      const set = { ...sent(body, 'name', 'locked'), updatedAt: touched(found, now) };
      await db.run(update('thread', found.id, set));
      return toThread({ ...found, ...set });
    },
  }),

  write({
    operation: 'threadDelete',
    method: 'DELETE',
    path: '/threads/:id',
    resource: 'thread',
    verb: 'delete',
    summary: 'Delete a thread and its replies',
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.id),
    async run(call, _input, { thread: found }) {
      await removeThread(call, found, call.principal.userId);
      return toThread(found);
    },
  }),
];

/** Removes a thread with its replies: those that a write takes no time for are swept later, on behalf of the actor. */
async function removeThread(work: Work, found: RowOf<'thread'>, actorId: string | null): Promise<void> {
  const { id, serverId, channelId } = found;
  await work.db.run(remove('thread', { id }));
  const release = (threads: RowOf<'thread'>[]) => releaseThreads(work, threads);
  if (await removeHanging(work.db, 'thread', id, ROWS_IN_WRITE, { release })) return;
  await mark(work.db, { noun: 'thread', id, serverId, channelId, actorId });
}

/** Has users told of new replies. */
export async function follow({ db }: Pick<Work, 'db'>, threadId: string, userIds: string[]): Promise<void> {
  for (const userId of userIds) await db.run(addFollower({ threadId, userId }));
}

const addFollower = prepare((p: { threadId: string; userId: string }) =>
  q
    .insertInto('threadFollower')
    .values({ threadId: p.threadId, userId: p.userId })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Counts a new reply. */
export async function takeReply(
  { db, emit, now }: Work,
  found: RowOf<'thread'>,
  reply: { createdAt: number },
): Promise<void> {
  const set = {
    replyCount: found.replyCount + 1,
    lastReplyAt: reply.createdAt,
    updatedAt: touched(found, now),
  };
  await db.run(update('thread', found.id, set));
  await emitUpdate(emit, { ...found, ...set });
}

const lastReply = prepare((p: { threadId: string }) =>
  q
    .selectFrom('message')
    .select('createdAt')
    .where('threadId', '=', p.threadId)
    .orderBy('id', 'desc')
    .limit(1),
);

/** Counts a reply that was deleted. */
export async function loseReply({ db, emit, now }: Work, found: RowOf<'thread'>): Promise<void> {
  const last = await db.first(lastReply({ threadId: found.id }));
  const set = {
    replyCount: Math.max(0, found.replyCount - 1),
    lastReplyAt: last?.createdAt ?? null,
    updatedAt: touched(found, now),
  };
  await db.run(update('thread', found.id, set));
  await emitUpdate(emit, { ...found, ...set });
}

/** What becomes of threads whose messages are deleted: gone without replies, on their own with some. */
export async function releaseThreads(work: Work, threads: RowOf<'thread'>[]): Promise<void> {
  const { db, emit, now } = work;
  for (const found of threads.sort(byMessage)) {
    if (found.replyCount === 0) {
      await removeThread(work, found, null);
      await emit({
        type: 'thread.deleted',
        serverId: found.serverId,
        channelId: found.channelId,
        data: toThread(found),
      });
    } else {
      const set = { messageId: null, updatedAt: touched(found, now) };
      await db.run(update('thread', found.id, set));
      await emitUpdate(emit, { ...found, ...set });
    }
  }
}

const byMessage = (one: RowOf<'thread'>, other: RowOf<'thread'>): number =>
  `${one.messageId} ${one.id}` < `${other.messageId} ${other.id}` ? -1 : 1;

const emitUpdate = (emit: Work['emit'], row: RowOf<'thread'>): Promise<void> =>
  emit({ type: 'thread.updated', serverId: row.serverId, channelId: row.channelId, data: toThread(row) });
