import type { Principal } from '../../access/principal.ts';
import type { Order, Reader } from '../../db/contract.ts';
import { prepareKnown } from '../../db/known.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q } from '../../db/statements.ts';
import { LAST_ID } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { flag, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { channelTarget } from '../channel/load.ts';
import { cachedLatest } from '../message/latest.ts';
import { threadTarget } from '../message/load.ts';
import { toMessage } from '../message/messageRecord.ts';
import { filteredPage } from '../message/page.ts';
import { withTexts } from '../message/stream/shown.ts';
import { repliesFrom } from '../thread/replies.ts';
import { toThread } from '../thread/threadRecord.ts';
import { usersBeside } from '../user.ts';
import { cursorOf } from './cursor.ts';
import { channelView, threadView } from './snapshotRecord.ts';
import { requirePlace, windowOf } from './window.ts';

/** Maximum and default number of messages per window. */
const MAX_WINDOW = 100;
const USUAL_WINDOW = 50;

const place = {
  around: optional(reference('The id of the message on which the window is centred')),
  before: optional(reference('Only messages before the one with this id')),
  after: optional(reference('Only messages after the one with this id')),
  limit: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_WINDOW,
      default: USUAL_WINDOW,
      description: 'Maximum number of messages',
    }),
  ),
};

type Message = ReturnType<typeof toMessage>;

const ownReactions = prepareKnown<{ id: string; userId: string }, RowOf<'reaction'>>(
  { id: 'uuid', userId: 'uuid' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .innerJoin('reaction', (join) =>
        join.onRef('reaction.messageId', '=', 'known.id').onRef('reaction.userId', '=', 'known.userId'),
      )
      .selectAll('reaction')
      .orderBy('reaction.id'),
);
const threadsOf = prepareKnown<{ id: string }, RowOf<'thread'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('thread', 'thread.messageId', 'known.id')
    .selectAll('thread')
    .orderBy('thread.id'),
);
const pinsOf = prepareKnown<{ id: string }, RowOf<'pin'>>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('pin', 'pin.messageId', 'known.id')
    .selectAll('pin')
    .orderBy('pin.id'),
);

/**
 * Reads the data that is shown along with messages: profiles of their authors and of `others`, threads, pins,
 * and the caller's reactions.
 */
async function beside(
  db: Reader,
  principal: Principal,
  messages: readonly Message[],
  others: readonly string[] = [],
) {
  const ids = messages.map(({ id }) => ({ id }));
  const { userId } = principal;
  const reacted = messages.filter(({ reactions }) => reactions.length > 0).map(({ id }) => ({ id, userId }));
  const pinned = messages.filter(({ pinned }) => pinned).map(({ id }) => ({ id }));
  const userIds = [...new Set([...messages.map(({ creatorId }) => creatorId), ...others])];
  const [users, reactions, threads, pins] = await Promise.all([
    usersBeside(db, principal, userIds),
    reacted.length === 0 ? [] : db.all(ownReactions(db.dialect, reacted)),
    ids.length === 0 ? [] : db.all(threadsOf(db.dialect, ids)),
    pinned.length === 0 ? [] : db.all(pinsOf(db.dialect, pinned)),
  ]);
  return { users: Object.values(users), reactions, threads: threads.map(toThread), pins };
}

export const viewOperations = [
  read({
    operation: 'channelView',
    people: true,
    path: '/channels/:id/view',
    tag: 'snapshot',
    kind: 'view',
    summary: 'Get a window of messages and everything needed to display them',
    description:
      'Returns the latest messages, or the messages around, before or after a message id, even if that message was deleted. Includes replies in threads unless `isThreadReply` is false.',
    visible: 'channel',
    query: Type.Object({
      ...place,
      isThreadReply: optional(
        flag('Only replies in threads (true), or only other messages (false); both by default'),
      ),
    }),
    answer: channelView,
    target({ db }, { params, query }) {
      requirePlace(query);
      return channelTarget(db, params.id);
    },
    async run({ db, principal, services }, { params: { id }, query }, target) {
      const { serverId, channel } = await target;
      const { isThreadReply, ...window } = query;
      const cursor = await cursorOf(db, serverId);
      const page = (order: Order, from: string, limit: number) =>
        (order === 'desc' && from === LAST_ID && cachedLatest(db, channel, { limit, isThreadReply })) ||
        filteredPage(db, id, { limit, order, isThreadReply }, from, channel.isBeingSwept);
      const shown = await windowOf(window, page, (found) => withTexts(db, services.feed, found));
      return { cursor, ...shown, ...(await beside(db, principal, shown.messages)) };
    },
  }),

  read({
    operation: 'threadView',
    people: true,
    path: '/threads/:id/view',
    tag: 'snapshot',
    kind: 'view',
    summary: "Get a window of a thread's replies and everything needed to display them",
    description:
      'Returns the latest replies, or the replies around, before or after a message id. Each window also includes the thread and its root message.',
    visible: 'channel',
    query: Type.Object(place),
    answer: threadView,
    target({ db }, { params, query }) {
      requirePlace(query);
      return threadTarget(db, params.id);
    },
    async run({ db, principal, services }, { params: { id }, query }, target) {
      const { serverId, thread } = await target;
      const cursor = await cursorOf(db, serverId);
      const { messageId, creatorId } = thread;
      const texts = (found: readonly Message[]) => withTexts(db, services.feed, found);
      const [shown, root] = await Promise.all([
        windowOf(query, (order, from, limit) => repliesFrom(db, id, order, from, limit), texts),
        messageId === null ? undefined : db.first(find('message', { id: messageId })),
      ]);
      const [message = null] = root ? await texts([toMessage(root)]) : [];
      const all = message ? [message, ...shown.messages] : shown.messages;
      const rest = await beside(db, principal, all, [creatorId]);
      return { cursor, thread: toThread(thread), message, ...shown, ...rest };
    },
  }),
];
