import { conditions, requireCondition } from '../../access/conditions.ts';
import { sightOf } from '../../access/whereVisible.ts';
import { insert } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, flag, oneOf, optional, reference, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { type WriteOperation, write } from '../../operations/write.ts';
import {
  attach,
  attachmentsNamed,
  MAX_ATTACHMENTS,
  requireSendable,
  toShownAttachment,
} from '../attached.ts';
import { aheadInChannel, channelTarget } from '../channel/load.ts';
import { requireSameServer, started } from '../common.ts';
import { showLatest } from '../conversation/own.ts';
import { keywordVersion } from '../keywords/keywords.ts';
import { requireReachable } from '../reachable.ts';
import { wordRulesVersion } from '../wordRule/rules.ts';
import { announce, audienceOf, mayHaveAudience, noAudience } from './announce.ts';
import { pageAround, requireMakesSense } from './around.ts';
import { approval, blocks } from './blocks/blocks.ts';
import { newBlocks } from './blocks/stored.ts';
import { deleteMessage, messageDeleteMany } from './delete.ts';
import { messageEdits } from './edits.ts';
import { examinedPage, examinerOf, flagFields } from './flagged.ts';
import { heldIfNeeded, mayBeHeld } from './held.ts';
import { cachedLatest, isLatest } from './latest.ts';
import { messageTarget, placeNamed } from './load.ts';
import {
  content,
  message,
  messageEvents,
  messageType,
  requireVisible,
  shownMessage,
  toMessage,
} from './messageRecord.ts';
import { isPlain, messagePage } from './page.ts';
import { messageSave } from './save.ts';
import { serverMessages } from './search.ts';
import { hasOpen, withTexts, withTextsIn } from './stream/shown.ts';
import { beginStream } from './stream/streamRow.ts';

export const messageOperations = [
  read({
    operation: 'channelMessages',
    path: '/channels/:channelId/messages',
    tag: 'message',
    summary: "List a channel's messages",
    description: 'Returns the newest messages first by default, including replies in threads.',
    visible: 'channel',
    query: Type.Object({
      order: optional(oneOf(['asc', 'desc'], '`asc` for oldest first')),
      creatorId: optional(reference()),
      type: optional(messageType),
      isThreadReply: optional(
        flag('Only replies in threads (true), or only other messages (false); both by default'),
      ),
      after: optional(time('Only messages created after this time')),
      before: optional(time('Only messages created before this time')),
      q: optional(
        text({
          max: 200,
          description: 'Search terms: words, beginnings of words, or quoted phrases',
          examples: ['"release plan" mon'],
        }),
      ),
      ...flagFields,
      around: optional(
        reference(
          'A message id: returns a page centred on this message, newest first. Cannot be combined with `after`, `before`, `q` or `order=asc`',
        ),
      ),
    }),
    answer: shownMessage,
    list: 'many',
    hasPrevious: true,
    target({ db }, { params, query }) {
      requireMakesSense(query);
      return channelTarget(db, params.channelId);
    },
    ahead: ({ principal }, { params, query }) =>
      isPlain(query) ? aheadInChannel(principal, params.channelId) : undefined,
    async run({ db, principal, services: { feed } }, { params, query, after }, target) {
      const { channelId } = params;
      const isWanted = await examinerOf(db, principal.userId, query);
      if (isWanted && !query.q)
        return examinedPage(db, channelId, query, {
          isWanted,
          isBeingSwept: (await target).channel.isBeingSwept,
          from: after?.[0] as string | undefined,
        });
      if (query.around !== undefined) {
        const page = await pageAround(db, channelId, query, (await target).channel.isBeingSwept, after);
        return { ...page, records: await withTexts(db, feed, page.records) };
      }
      // On PostgreSQL, awaiting the target before reading the page would cost an additional round trip.
      if (!db.dialect.isDistant && isLatest(query, after)) {
        const cached = await cachedLatest(db, (await target).channel, query);
        if (cached && !hasOpen(cached)) return { json: cached.json, next: cached.next, cached };
        if (cached) return withTextsIn(db, feed, { json: cached.json, next: cached.next });
      }
      const isBeingSwept = target.then(({ channel }) => channel.isBeingSwept);
      const sight = db.dialect.isDistant ? sightOf(principal, channelId) : undefined;
      const page = await messagePage(db, channelId, query, isBeingSwept, after, sight, isWanted);
      return 'json' in page ? withTextsIn(db, feed, page) : page;
    },
  }),

  read({
    operation: 'messageById',
    path: '/messages/:messageId',
    tag: 'message',
    summary: 'Get a message',
    visible: 'channel',
    answer: shownMessage,
    target: ({ db }, { params }) => messageTarget(db, params.messageId),
    async run({ db, services: { feed } }, _input, target) {
      const [shown] = await withTexts(db, feed, [toMessage((await target).message)]);
      return shown as ReturnType<typeof toMessage>;
    },
  }),

  write({
    operation: 'messageSend',
    path: '/messages',
    resource: 'message',
    verb: 'insert',
    summary: 'Send a message',
    description:
      'Notifies the members of a direct message, users who are mentioned by name, role or keyword, the author of the message that this one replies to, and followers of the thread.',
    body: body({
      channelId: optional(reference('Required without threadId')),
      content: optional(content),
      serverId: optional(reference()),
      threadId: optional(reference('The thread to send the message in, as a reply')),
      replyToId: optional(reference('The message that this one replies to')),
      streaming: optional(
        flag(
          'Whether the text is appended later, with `POST /messages/:id/append`. The content can then start empty',
        ),
      ),
      attachmentIds: optional(
        Type.Array(reference(), {
          maxItems: MAX_ATTACHMENTS,
          description: 'Files that you have uploaded but not sent yet',
          examples: [[sampleId('attachment')]],
        }),
      ),
      blocks: optional(blocks),
    }),
    examples: {
      'In a channel': { channelId: sampleId('channel'), content: 'Hello, world' },
      'In a thread': { threadId: sampleId('thread'), content: 'Agreed' },
      'As a reply': {
        channelId: sampleId('channel'),
        content: '@ada yes, on Monday',
        replyToId: sampleId('answered message'),
      },
      Streamed: { channelId: sampleId('channel'), streaming: true },
      'With buttons': {
        channelId: sampleId('channel'),
        content: '**Deploy 41** is ready.',
        blocks: [approval],
      },
      'Only a file': { channelId: sampleId('channel'), attachmentIds: [sampleId('attachment')] },
    },
    answer: message,
    check({ body }) {
      if (body.channelId === undefined && body.threadId === undefined)
        throw invalid('missing', 'channelId', 'is required without threadId');
      const { attachmentIds } = body;
      if (attachmentIds && new Set(attachmentIds).size < attachmentIds.length)
        throw invalid('duplicate', 'attachmentIds', 'contains a file twice');
      const hasMore = (attachmentIds ?? []).length > 0 || (body.blocks ?? []).length > 0;
      if (!body.streaming) requireVisible(body.content, hasMore);
    },
    async target(call, { body }) {
      const { db } = call;
      const { replyToId } = body;
      // These reads start together, to share a round trip to PostgreSQL.
      const answering = replyToId === undefined ? undefined : started(messageTarget(db, replyToId));
      const attaching = body.attachmentIds && started(attachmentsNamed(db, body.attachmentIds));
      const keywords = started(keywordVersion(db));
      const words = started(wordRulesVersion(db, call.principal.serverId));
      const { channel, thread } = await placeNamed(db, body);
      const replyTo = answering && (await answering).message;
      if (replyTo && replyTo.channelId !== channel.id)
        throw invalid('mismatch', 'replyToId', 'is a message of another channel');
      const { serverId } = channel;
      if (body.serverId !== serverId) await requireSameServer(call, body.serverId, serverId);
      return {
        serverId,
        channel,
        thread,
        replyTo,
        attached: attaching && (await attaching),
        keywords: await keywords,
        // Word rules do not apply in direct messages.
        words: channel.memberIds ? undefined : await words,
        isApproved: false,
      };
    },
    async run(call, { body }, target) {
      const { serverId, channel, thread, replyTo, attached = [], keywords } = target;
      const { db, emit, newRow, principal, services } = call;
      const isLocked = thread?.locked ?? false;
      requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'message insert' });
      if (channel.memberIds) await requireReachable(db, principal, channel);
      requireSendable(principal, serverId, attached);
      const shown = body.blocks && (await newBlocks(call, body.blocks, { channel, files: attached }));
      if (!target.isApproved && mayBeHeld(target)) {
        const held = await heldIfNeeded(call, body, target, shown);
        if (held) return held;
      }
      const { id, createdAt, updatedAt } = newRow();
      const { content: text = '' } = body;
      const plain = {
        id,
        createdAt,
        updatedAt,
        serverId,
        type: principal.userType,
        channelId: channel.id,
        isThreadReply: thread !== undefined,
        creatorId: principal.userId,
        // Searches, notifications and events get the text of a streamed message once it is complete.
        content: body.streaming ? '' : text,
        deleted: false,
        editedAt: null,
        threadId: thread?.id ?? null,
        replyToId: replyTo?.id ?? null,
        pinned: false,
        reactions: [],
        stream: body.streaming ? ('open' as const) : null,
      };
      const hasMore = attached.length > 0 || shown !== undefined;
      const row = hasMore
        ? {
            ...plain,
            ...(attached.length > 0 && { attachments: attached.map(toShownAttachment) }),
            ...(shown && { blocks: shown }),
          }
        : plain;
      const isQuiet = body.streaming || !mayHaveAudience(row, channel);
      const audience = isQuiet ? noAudience : await audienceOf(call, row, channel, replyTo);
      await db.run(insert('message', row));
      if (channel.memberIds) await db.run(showLatest({ channelId: channel.id, latestId: row.id }));
      // A new row has the same fields as its record.
      await emit(messageEvents.created, row, { known: { thread } });
      if (attached.length > 0) await attach(call, row, attached);
      if (body.streaming) {
        await beginStream(db, row, text);
        return { ...row, content: text };
      }
      await announce(call, services, row, channel, { ...audience, principal, keywords });
      return row;
    },
  }),

  messageSave,

  write({
    operation: 'messageDelete',
    path: '/messages/:id',
    resource: 'message',
    verb: 'delete',
    summary: 'Delete a message',
    description:
      'Permanently deletes the message with its pin, reactions and notifications, and its thread if the thread has no replies.',
    answer: message,
    target: ({ db }, { params }) => messageTarget(db, params.id),
    run: (call, _input, { message: found }) => deleteMessage(call, found),
  }),

  messageDeleteMany,
  messageEdits,
  serverMessages,
];

/** Other modules also use this operation, for example to send scheduled messages. */
export const messageSend = messageOperations.find(
  ({ operation }) => operation === 'messageSend',
) as WriteOperation;
