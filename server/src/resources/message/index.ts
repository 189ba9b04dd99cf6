import Type from 'typebox';
import { forbidden } from '../../access/predicates.ts';
import { ruleText } from '../../access/rules.ts';
import { find, insert, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { read, type WriteCall, write } from '../../http/endpoint.ts';
import { sampleId } from '../../http/examples.ts';
import { body, flag, oneOf, optional, reference, text, time } from '../../http/fields.ts';
import { channelTarget } from '../channel.ts';
import { load, requireSameServer, touched } from '../common.ts';
import { follow, loseReply, takeReply } from '../thread.ts';
import { readHanging, removeHangingOn } from './hanging.ts';
import { messageTarget, type Place, threadTarget } from './load.ts';
import { notify, recipientsOf } from './notify.ts';
import { messagePage } from './page.ts';
import { content, message, messageType, shownMessage, toMessage } from './record.ts';

export const messageEndpoints = [
  read({
    operation: 'channelMessages',
    path: '/channels/:channelId/messages',
    tag: 'message',
    summary: 'Messages of a channel',
    description: 'Newest first, replies in threads among them.',
    visible: 'channel',
    query: Type.Object({
      order: optional(oneOf(['asc', 'desc'], 'asc for oldest first')),
      creatorId: optional(reference()),
      type: optional(messageType),
      isThreadReply: optional(flag('Both if left out')),
      after: optional(time('Made after this moment')),
      before: optional(time('Made before this moment')),
      q: optional(
        text({
          max: 200,
          description: 'Words, the beginnings of words, or phrases in quotes',
          examples: ['"release plan" mon'],
        }),
      ),
    }),
    answer: shownMessage,
    list: 'many',
    target: ({ db }, { params }) => channelTarget(db, params.channelId),
    async run({ db }, { params, query, after }, target) {
      const isBeingSwept = target.then(({ channel }) => channel.isBeingSwept);
      return messagePage(db, params.channelId, query, isBeingSwept, after);
    },
  }),

  read({
    operation: 'messageById',
    path: '/messages/:messageId',
    tag: 'message',
    summary: 'One message',
    visible: 'channel',
    answer: shownMessage,
    target: ({ db }, { params }) => messageTarget(db, params.messageId),
    run: async (_call, _input, target) => toMessage((await target).message),
  }),

  write({
    operation: 'messageSend',
    method: 'POST',
    path: '/messages',
    resource: 'message',
    verb: 'insert',
    summary: 'Send a message',
    description:
      'Those mentioned as @username, the author of the message answered, and followers of the thread are notified.',
    body: body({
      channelId: optional(reference('Required without threadId')),
      content,
      serverId: optional(reference()),
      threadId: optional(reference('Makes it a reply in this thread')),
      replyToId: optional(reference('The message that it answers')),
    }),
    examples: {
      'In a channel': { channelId: sampleId('channel'), content: 'Hello, world' },
      'In a thread': { threadId: sampleId('thread'), content: 'Agreed' },
      'As an answer': {
        channelId: sampleId('channel'),
        content: '@ada yes, on Monday',
        replyToId: sampleId('answered message'),
      },
    },
    answer: message,
    check({ body }) {
      if (body.channelId === undefined && body.threadId === undefined)
        throw invalid('channelId', 'is required');
    },
    async target(call, { body }) {
      const { db } = call;
      const { channelId, threadId, replyToId } = body;
      const [inThread, inChannel, answered] = await Promise.all([
        threadId === undefined ? undefined : threadTarget(db, threadId),
        threadId !== undefined ? undefined : channelTarget(db, channelId as string),
        replyToId === undefined ? undefined : messageTarget(db, replyToId),
      ]);
      const place = (inThread ?? inChannel) as { serverId: string; channel: Place };
      const replyTo = answered?.message;
      if (channelId !== undefined && channelId !== place.channel.id) {
        await load(db, 'channel', channelId);
        throw invalid('channelId', 'is not the channel of the thread');
      }
      if (replyTo && replyTo.channelId !== place.channel.id)
        throw invalid('replyToId', 'is a message of another channel');
      await requireSameServer(call, body.serverId, place.serverId);
      return { serverId: place.serverId, channel: place.channel, thread: inThread?.thread, replyTo };
    },
    async run(call, { body }, { serverId, channel, thread, replyTo }) {
      const { db, newRow, principal } = call;
      if (thread?.locked) requireModerator(call);
      const row = {
        ...newRow(),
        serverId,
        type: principal.userType,
        channelId: channel.id,
        isThreadReply: thread !== undefined,
        creatorId: principal.userId,
        content: body.content,
        deleted: false,
        editedAt: null,
        threadId: thread?.id ?? null,
        replyToId: replyTo?.id ?? null,
        pinned: false,
        reactions: [],
      };
      const recipients = await recipientsOf(db, row, channel, replyTo);
      await db.run(insert('message', row));
      if (thread) await takeReply(call, thread, row);
      await notify(call, recipients, row);
      if (thread) await follow(call, thread.id, [principal.userId]);
      return toMessage(row);
    },
  }),

  write({
    operation: 'messageSave',
    method: 'PATCH',
    path: '/messages/:id',
    resource: 'message',
    verb: 'update',
    summary: 'Edit a message',
    description: 'Sets the content and, as reads show, editedAt.',
    body: body({ id: optional(reference()), content }),
    answer: message,
    target: ({ db }, { params }) => messageTarget(db, params.id),
    async run({ db, now }, { body }, { message: found }) {
      const updatedAt = touched(found, now);
      const set = { content: body.content, editedAt: updatedAt, updatedAt };
      await db.run(update('message', found.id, set));
      return toMessage({ ...found, ...set });
    },
  }),

  write({
    operation: 'messageDelete',
    method: 'DELETE',
    path: '/messages/:id',
    resource: 'message',
    verb: 'delete',
    summary: 'Delete a message for good',
    description: 'With its pin, reactions and notifications, and its thread if nobody has replied in it.',
    answer: message,
    target: ({ db }, { params }) => messageTarget(db, params.id),
    async run(call, _input, { message: found }) {
      const { db } = call;
      const { id: messageId, threadId } = found;
      const [thread, hanging] = await Promise.all([
        threadId === null ? undefined : db.first(find('thread', { id: threadId })),
        readHanging(db, found),
      ]);
      await db.run(remove('message', { id: messageId }));
      await removeHangingOn(call, found, hanging);
      if (thread) await loseReply(call, thread);
      return toMessage(found);
    },
  }),
];

function requireModerator({ principal }: WriteCall): void {
  if (principal.flags.has('canModerate')) return;
  const rule = `${ruleText('message', 'insert')}; in a locked thread: server admin or moderator`;
  throw forbidden(principal, rule, ['canModerate'], 'this thread is locked');
}
