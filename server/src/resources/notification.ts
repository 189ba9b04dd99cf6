import { expressionBuilder, sql } from 'kysely';
import { whereChannelVisible } from '../access/whereVisible.ts';
import type { Tables } from '../db/schema.ts';
import { q } from '../db/statements.ts';
import { isOfMessageInSight } from '../db/sweep.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { firstIdAt } from '../lib/deps.ts';
import { Type } from '../lib/schema.ts';
import { flag, id, nullable, oneOf, optional, record, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { recordOf } from './common.ts';
import { pageById } from './lists.ts';

/** Rows scanned per page: some may be invisible to the key, or their messages may be deleted. */
const MAX_SCANNED_ROWS = 2_000;

const FIRST_ID = firstIdAt(0);

/** Length of the message excerpt in a list. */
const EXCERPT_CHARACTERS = 300;

const notification = record('Notification', {
  userId: id(),
  serverId: id(),
  type: oneOf(['mention', 'reply', 'thread']),
  actorId: id('The author of the message'),
  channelId: id(),
  messageId: id(),
  readAt: nullable(time()),
  excerpt: Type.Optional(
    text({
      max: EXCERPT_CHARACTERS,
      description: 'The beginning of the current message; only with `excerpts`',
      examples: ['@ada, the alert is closed.'],
    }),
  ),
});
export const toNotification = recordOf(notification);

export const notificationEvents = eventsOf(
  'notification',
  { data: notification, audience: 'owner' },
  {
    created: 'A user was mentioned or replied to, or a thread they follow has a new reply',
    updated: 'A notification was marked as read',
    deleted: 'A notification was cleared, or its message deleted',
  },
);

/** The excerpt of a notification's message, as a column. */
const excerpt = expressionBuilder<Tables, 'notification'>()
  .selectFrom('message')
  .select(sql<string>`substr(content, 1, ${sql.lit(EXCERPT_CHARACTERS)})`.as('words'))
  .whereRef('message.id', '=', 'notification.messageId')
  .as('excerpt');

export const notificationOperations = [
  read({
    operation: 'latestNotifications',
    path: '/notifications',
    tag: 'notification',
    summary: 'List your latest notifications',
    description:
      "Mentions, replies and thread replies in channels of the key's server that the key can see, newest first.",
    visible: 'anyone',
    query: Type.Object({
      unread: optional(flag('Only unread ones (true) or read ones (false)')),
      excerpts: optional(
        flag(`Adds the first ${EXCERPT_CHARACTERS} characters of each message, in \`excerpt\``),
      ),
    }),
    answer: notification,
    list: 'many',
    target: ({ principal }) => principal,
    async run({ db, principal }, { query, after }) {
      const { userId, serverId } = principal;
      let all = q
        .selectFrom('notification')
        .where('notification.userId', '=', userId)
        .where('notification.serverId', '=', serverId)
        .orderBy('notification.id', 'desc');
      if (query.unread !== undefined)
        all = all.where('notification.readAt', query.unread ? 'is' : 'is not', null);
      if (after) all = all.where('notification.id', '<', after[0] as string);
      const edgeOf = all.select('notification.id').limit(1).offset(MAX_SCANNED_ROWS);
      const joined = all.innerJoin('channel', 'channel.id', 'notification.channelId');
      const rows = (query.excerpts ? joined.select(excerpt) : joined)
        .selectAll('notification')
        .select('channel.isBeingSwept')
        .where(whereChannelVisible(principal))
        .where((eb) => eb('notification.id', '>=', eb.fn.coalesce(edgeOf, eb.val(FIRST_ID))))
        .limit(query.limit + 1);
      let [found, edge] = await Promise.all([db.all(rows), db.first(edgeOf)]);
      if (found.some(({ isBeingSwept }) => isBeingSwept))
        found = await db.all(rows.where(isOfMessageInSight));
      const page = pageById(found, query.limit, toNotification);
      return edge && page.next === null ? { ...page, next: [edge.id] } : page;
    },
  }),
];
