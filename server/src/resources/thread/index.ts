import { conditions, requireCondition } from '../../access/conditions.ts';
import type { Principal } from '../../access/principal.ts';
import { isThreadSeen } from '../../access/whereVisible.ts';
import type { RowOf } from '../../db/schema.ts';
import { findPart, insert, q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { exampleOf, sampleId } from '../../operations/examples.ts';
import { body, optional, record, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { channelTarget } from '../channel/load.ts';
import { load, sent } from '../common.ts';
import { listById } from '../lists.ts';
import { messageTarget, threadTarget } from '../message/load.ts';
import { shownMessage } from '../message/messageRecord.ts';
import { withTextsIn } from '../message/stream/shown.ts';
import { requireReachable } from '../reachable.ts';
import { changeThread, follow, removeThread } from './change.ts';
import { isNamedBy, requireThreadName } from './named.ts';
import { threadPage } from './page.ts';
import { MAX_REPLIES, replyPage } from './replies.ts';
import { fields, thread, threadEvents, threadName, toThread } from './threadRecord.ts';

const reply = { ...exampleOf(shownMessage, 'reply'), isThreadReply: true, threadId: sampleId('thread') };
const threadWithMessages = record('ThreadWithMessages', {
  ...fields,
  messages: Type.Array(shownMessage, {
    description: 'Oldest first',
    examples: [[reply]],
  }),
  nextCursor: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The cursor for more replies. A response ends after `limit` replies or about 1 MB',
  }),
});

export const threadOperations = [
  read({
    operation: 'threadWithMessages',
    path: '/threads/:threadId',
    tag: 'thread',
    summary: 'Get a thread with its messages',
    visible: 'channel',
    query: Type.Object({
      limit: optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_REPLIES,
          default: MAX_REPLIES,
          description: 'Maximum number of replies',
        }),
      ),
    }),
    answer: threadWithMessages,
    list: 'within',
    target: ({ db }, { params }) => threadTarget(db, params.threadId),
    ahead: ({ principal }) => ({ serverId: principal.serverId }),
    async run({ db, principal, services }, { params, query, after }, target) {
      const seen = db.dialect.isDistant ? isThreadSeen(principal, params.threadId) : undefined;
      const replies = await replyPage(db, params.threadId, query.limit, after, seen);
      const { json } = await withTextsIn(db, services.feed, replies);
      return { ...replies, json, of: toThread((await target).thread), field: 'messages' };
    },
  }),

  read({
    operation: 'threadsByMessageId',
    path: '/messages/:messageId/threads',
    tag: 'thread',
    summary: "List a message's threads",
    visible: 'channel',
    answer: thread,
    list: 'many',
    target: ({ db }, { params }) => messageTarget(db, params.messageId),
    async run({ db }, input) {
      const rows = q.selectFrom('thread').selectAll().where('messageId', '=', input.params.messageId);
      return listById(db, rows, input, toThread);
    },
  }),

  read({
    operation: 'threadsByChannel',
    path: '/channels/:channelId/threads',
    tag: 'thread',
    summary: "List a channel's threads",
    description: 'Returns the newest threads first.',
    visible: 'channel',
    answer: thread,
    list: 'many',
    target: ({ db }, { params }) => channelTarget(db, params.channelId),
    run: async ({ db }, input, target) => threadPage(db, input, (await target).channel.isBeingSwept),
  }),

  read({
    operation: 'threadById',
    path: '/threads/:threadId/info',
    tag: 'thread',
    summary: 'Get a thread without its messages',
    visible: 'channel',
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.threadId),
    run: async (_call, _input, target) => toThread((await target).thread),
  }),

  write({
    operation: 'threadInsert',
    path: '/threads',
    resource: 'thread',
    verb: 'insert',
    summary: 'Start a thread',
    body: body({
      channelId: optional(reference('Required without messageId')),
      messageId: optional(reference('The root message that the thread is attached to')),
      name: optional(threadName),
    }),
    examples: {
      'On a message': { messageId: sampleId('message'), name: 'Release plan' },
      'In a channel': { channelId: sampleId('channel'), name: 'Release plan' },
    },
    answer: thread,
    check({ body }) {
      if (body.channelId === undefined && body.messageId === undefined)
        throw invalid('missing', 'channelId', 'is required without messageId');
    },
    async target({ db }, { body }) {
      const root = body.messageId === undefined ? undefined : await messageTarget(db, body.messageId);
      const place = root ?? (await channelTarget(db, body.channelId as string));
      if (body.channelId !== undefined && body.channelId !== place.channel.id) {
        await load(db, 'channel', body.channelId);
        throw invalid('mismatch', 'channelId', 'is not the channel of the message');
      }
      return { serverId: place.serverId, channel: place.channel, message: root?.message };
    },
    async run(call, { body }, { serverId, channel, message }) {
      const { db, newRow, principal } = call;
      await requireReachable(db, principal, channel);
      await requireThreadName(call, channel, body.name, 'thread insert');
      const row = {
        ...newRow(),
        serverId,
        channelId: channel.id,
        messageId: message?.id ?? null,
        name: body.name ?? null,
        isNamedByMessage: message !== undefined && isNamedBy(body.name ?? '', message.content),
        creatorId: principal.userId,
        locked: false,
        replyCount: 0,
        lastReplyAt: null,
      };
      await db.run(insert('thread', row));
      await call.emit(threadEvents.created, toThread(row));
      await follow(call, row.id, [principal.userId, ...(message ? [message.creatorId] : [])]);
      return toThread(row);
    },
  }),

  write({
    operation: 'threadUpdate',
    path: '/threads/:id',
    resource: 'thread',
    verb: 'update',
    summary: 'Rename, lock or unlock a thread',
    body: body({ id: optional(reference()), name: optional(threadName), locked: optional(fields.locked) }),
    examples: { Example: { locked: true } },
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.id),
    async run(call, { body }, { channel, thread: found }) {
      const { locked } = body;
      await requireReachable(call.db, call.principal, channel);
      await requireThreadName(call, channel, body.name, 'thread update');
      if (locked === false) requireCondition(call.principal, conditions.unlocking, found);
      const isLockedByModerator = locked && isModeratorsLock(call.principal, found);
      const root =
        body.name && found.messageId !== null
          ? await call.db.first(findPart('message', found.messageId, ['content']))
          : undefined;
      return changeThread(call, found, {
        ...sent(body, 'name', 'locked'),
        ...('name' in body && { isNamedByMessage: isNamedBy(body.name ?? '', root?.content ?? '') }),
        ...(isLockedByModerator !== undefined && { isLockedByModerator }),
      });
    },
  }),

  write({
    operation: 'threadDelete',
    path: '/threads/:id',
    resource: 'thread',
    verb: 'delete',
    summary: 'Delete a thread and its replies',
    answer: thread,
    target: ({ db }, { params }) => threadTarget(db, params.id),
    async run(call, _input, { channel, thread: found }) {
      await requireReachable(call.db, call.principal, channel);
      await removeThread(call, found);
      return toThread(found);
    },
  }),
];

/** Whether a moderator locked the thread, either earlier or with the principal's change. */
const isModeratorsLock = ({ flags, userId }: Principal, found: RowOf<'thread'>): boolean =>
  found.isLockedByModerator || (flags.has('canModerate') && userId !== found.creatorId);
