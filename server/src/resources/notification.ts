import { whereChannelVisible } from '../access/whereVisible.ts';
import { q } from '../db/statements.ts';
import { isOfMessageInSight } from '../db/sweep.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { flag, id, nullable, oneOf, optional, record, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { pageById, recordOf } from './common.ts';

/** Rows that a page looks at, at most, while notifications of deleted records are being swept. */
const MAX_SCANNED_ROWS = 2_000;

const notification = record('Notification', {
  userId: id(),
  serverId: id(),
  type: oneOf(['mention', 'reply', 'thread']),
  actorId: id('The author of the message'),
  channelId: id(),
  messageId: id(),
  readAt: nullable(time()),
});
export const toNotification = recordOf(notification);

export const notificationEvents = eventsOf(
  'notification',
  { data: notification, audience: 'owner' },
  {
    created: 'A user was mentioned or answered, or a thread that they follow was',
    deleted: 'The message of the notification was deleted',
  },
);

export const notificationOperations = [
  read({
    operation: 'latestNotifications',
    path: '/notifications',
    tag: 'notification',
    summary: 'Latest notifications of the authenticated user',
    description:
      "Newest first: mentions, replies and thread replies, in channels of the key's server that the key may see.",
    visible: 'anyone',
    query: Type.Object({ unread: optional(flag('Only unread ones (true), or only read ones (false)')) }),
    answer: notification,
    list: 'many',
    target: ({ principal }) => principal,
    async run({ db, principal }, { query, after }) {
      const { userId, serverId } = principal;
      let rows = q
        .selectFrom('notification')
        .innerJoin('channel', 'channel.id', 'notification.channelId')
        .selectAll('notification')
        .select('channel.isBeingSwept')
        .where('notification.userId', '=', userId)
        .where('notification.serverId', '=', serverId)
        .where(whereChannelVisible(principal))
        .orderBy('notification.id', 'desc')
        .limit(query.limit + 1);
      if (query.unread !== undefined)
        rows = rows.where('notification.readAt', query.unread ? 'is' : 'is not', null);
      if (after) rows = rows.where('notification.id', '<', after[0] as string);
      const found = await db.all(rows);
      if (!found.some(({ isBeingSwept }) => isBeingSwept))
        return pageById(found, query.limit, toNotification);
      const [edge] = await db.all(
        rows.clearSelect().select('notification.id').limit(1).offset(MAX_SCANNED_ROWS),
      );
      if (edge) rows = rows.where('notification.id', '>=', edge.id);
      const page = pageById(await db.all(rows.where(isOfMessageInSight)), query.limit, toNotification);
      return edge && page.next === null ? { ...page, next: [edge.id] } : page;
    },
  }),
];
