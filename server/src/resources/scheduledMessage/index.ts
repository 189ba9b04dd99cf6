import type { Caller } from '../../access/authenticator.ts';
import { setTimer } from '../../clock/timers.ts';
import { insert, prepare, q, update } from '../../db/statements.ts';
import { invalid, notFound } from '../../errors.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, optional, reference, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { alters, load, ownTarget, sent, touched } from '../common.ts';
import { actIn } from '../invitation.ts';
import { listById } from '../lists.ts';
import { channelFacts, messageTarget, threadTarget } from '../message/load.ts';
import { content, requireVisible } from '../message/messageRecord.ts';
import { clearFailure, removeScheduled, sendScheduled } from './deliver.ts';
import {
  scheduledMessage,
  scheduledMessageEvents,
  sentMessage,
  shownScheduled,
  toScheduled,
} from './scheduledRecord.ts';

/** Maximum scheduled messages per person. */
const MAX_SCHEDULED = 100;
const DAY_MS = 24 * 60 * 60_000;
/** How far ahead a message can be scheduled, in days. */
const MAX_DAYS = 366;

const amountOf = prepare((p: { userId: string }) =>
  q
    .selectFrom('scheduledMessage')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('userId', '=', p.userId),
);

const due = time(`When to send it: in the future, at most ${MAX_DAYS} days ahead`);

/** Throws INVALID_REQUEST unless a message can be scheduled for this time. */
function requireAhead(dueAt: number | undefined, now: number): void {
  if (dueAt === undefined || (dueAt > now && dueAt <= now + MAX_DAYS * DAY_MS)) return;
  throw invalid('out_of_range', 'dueAt', `must be in the future, at most ${MAX_DAYS} days ahead`);
}

/**
 * Finds the caller's own scheduled message. Throws NOT_FOUND, without revealing anything about other people's
 * messages.
 */
async function ownScheduled({ db, principal: { userId } }: WriteCall, id: string) {
  const found = await load(db, 'scheduledMessage', id);
  if (found.userId !== userId) throw notFound('scheduled message');
  return { serverId: found.serverId, ownerId: userId, alsoIn: [userId], found };
}

export const scheduledMessageOperations = [
  read({
    operation: 'scheduledMessages',
    people: true,
    path: '/scheduled-messages',
    tag: 'scheduledMessage',
    summary: 'List your scheduled messages',
    description:
      'Returns your scheduled messages in all servers, oldest first, including messages that could not be sent.',
    visible: 'person',
    answer: shownScheduled,
    list: 'many',
    target: ownTarget,
    run: ({ db, principal: { userId } }, input) =>
      listById(
        db,
        q.selectFrom('scheduledMessage').selectAll().where('userId', '=', userId),
        input,
        toScheduled,
      ),
  }),

  write({
    operation: 'scheduledMessageInsert',
    people: true,
    path: '/scheduled-messages',
    resource: 'scheduledMessage',
    verb: 'insert',
    summary: 'Schedule a message',
    description: `The message is sent as you at \`dueAt\`, if you may send it at that time. Otherwise, it is kept with its \`failure\`, and you get a notification of type \`schedule\`. A person has at most ${MAX_SCHEDULED} scheduled messages.`,
    body: body({
      channelId: reference(),
      threadId: optional(reference('The thread in which the message will be sent')),
      replyToId: optional(reference('The message that this one will reply to')),
      content,
      dueAt: due,
    }),
    answer: scheduledMessage,
    check({ body }, { now }) {
      requireVisible(body.content, false);
      requireAhead(body.dueAt, now);
    },
    async target(call, { body: { channelId, threadId, replyToId } }) {
      const { db, principal } = call;
      const thread = threadId === undefined ? undefined : await threadTarget(db, threadId);
      const replyTo = replyToId === undefined ? undefined : await messageTarget(db, replyToId);
      const channel = await channelFacts(db, channelId);
      if (thread && thread.channel.id !== channel.id)
        throw invalid('mismatch', 'channelId', 'is not the channel of the thread');
      if (replyTo && replyTo.channel.id !== channel.id)
        throw invalid('mismatch', 'replyToId', 'is a message of another channel');
      await actIn(call, channel.serverId);
      return { serverId: channel.serverId, alsoIn: [principal.userId], channel };
    },
    async run({ db, newRow, now, principal, tell }, { body }, { serverId, channel }) {
      const { userId } = principal;
      if (Number((await db.first(amountOf({ userId })))?.amount) >= MAX_SCHEDULED)
        throw invalid('quota', '', `you have reached the limit of ${MAX_SCHEDULED} scheduled messages`);
      const { threadId = null, replyToId = null, content, dueAt } = body;
      const place = { serverId, channelId: channel.id, threadId, replyToId };
      const row = { ...newRow(), userId, ...place, content, dueAt, failedAt: null, failure: null };
      await db.run(insert('scheduledMessage', row));
      await setTimer(db, { id: row.id, kind: 'message', serverId, dueAt, now });
      tell(scheduledMessageEvents.updated, toScheduled(row));
      return toScheduled(row);
    },
  }),

  write({
    operation: 'scheduledMessageUpdate',
    people: true,
    path: '/scheduled-messages/:id',
    resource: 'scheduledMessage',
    verb: 'update',
    summary: 'Change a scheduled message',
    description: 'A new `dueAt` reschedules a message that could not be sent.',
    body: body({ content: optional(content), dueAt: optional(due) }),
    answer: scheduledMessage,
    check({ body }, { now }) {
      if (body.content !== undefined) requireVisible(body.content, false);
      requireAhead(body.dueAt, now);
    },
    target: (call, { params }) => ownScheduled(call, params.id),
    async run(call, { body }, { found }) {
      const { db, now, tell } = call;
      const changes = sent(body, 'content', 'dueAt');
      if (!alters(found, changes)) return toScheduled(found);
      const { dueAt } = changes;
      const again = dueAt === undefined ? {} : { failedAt: null, failure: null };
      const row = { ...found, ...changes, ...again, updatedAt: touched(found, now) };
      const { id, serverId } = row;
      if (dueAt !== undefined) {
        await clearFailure(call, found);
        await setTimer(db, { id, kind: 'message', serverId, dueAt, now });
      }
      await db.run(update('scheduledMessage', id, { ...changes, ...again, updatedAt: row.updatedAt }));
      tell(scheduledMessageEvents.updated, toScheduled(row));
      return toScheduled(row);
    },
  }),

  write({
    operation: 'scheduledMessageSend',
    people: true,
    method: 'POST',
    path: '/scheduled-messages/:id/send',
    resource: 'scheduledMessage',
    verb: 'update',
    summary: 'Send a scheduled message now',
    description: 'If it cannot be sent, it stays scheduled.',
    answer: sentMessage,
    target: (call, { params }) => ownScheduled(call, params.id),
    async run(call, _input, { serverId, found }) {
      const { caller, db, services } = call;
      const here = await services.authenticator.withinServer(db, caller as Caller, serverId);
      const { id: messageId } = await sendScheduled(services, here, call, found);
      return { messageId, channelId: found.channelId, serverId };
    },
  }),

  write({
    operation: 'scheduledMessageDelete',
    people: true,
    path: '/scheduled-messages/:id',
    resource: 'scheduledMessage',
    verb: 'delete',
    summary: 'Delete a scheduled message',
    answer: scheduledMessage,
    target: (call, { params }) => ownScheduled(call, params.id),
    async run(call, _input, { found }) {
      await removeScheduled(call, found);
      return toScheduled(found);
    },
  }),
];
