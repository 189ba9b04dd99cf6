import { expressionBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { whereChannelVisible } from '../access/whereVisible.ts';
import type { RowOf, Tables } from '../db/schema.ts';
import { insert, q, remove } from '../db/statements.ts';
import { isOfMessageInSight } from '../db/sweep.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { MAX_NAME } from '../files/name.ts';
import { firstIdAt } from '../lib/deps.ts';
import { Type } from '../lib/schema.ts';
import type { blockText as textOfBlocks } from '../lib/text/blockText.ts';
import { flag, id, nullable, oneOf, optional, record, text, time } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { MAX_ATTACHMENTS, type shownAttachment } from './attached.ts';
import { recordOf } from './common.ts';
import { flowExcerpts } from './flowExcerpts.ts';
import { pageById } from './lists.ts';
import { ofOwnThings } from './ownThings.ts';

/**
 * Maximum rows to scan per page. Some may be invisible to the key, or their messages may have been deleted.
 */
const MAX_SCANNED_ROWS = 2_000;

const FIRST_ID = firstIdAt(0);

/** Length of message excerpts in lists, in characters. */
const EXCERPT_CHARACTERS = 300;

const types = [
  'mention',
  'reply',
  'thread',
  'direct',
  'reaction',
  'reminder',
  'schedule',
  'report',
  'flow',
] as const;

const notification = record('Notification', {
  userId: id(),
  serverId: id(),
  type: oneOf(
    types,
    '`reaction` means that somebody reacted to your message; `reminder`, that the reminder of a saved message is due; `schedule`, that a scheduled message could not be sent; `report`, that a message was reported to you as a moderator; `flow`, that a flow that depends on you failed or was turned off',
  ),
  actorId: id(
    "The author of the message; for `reaction` and `report`, the user who reacted or reported; for `flow`, the flow's agent",
  ),
  channelId: id(
    'The channel of the message. For a `flow`, and for a `report` of a direct message, the first channel of the server',
  ),
  messageId: id(
    'The message. For `schedule`, the scheduled message; for `report`, the report; for `flow`, the flow',
  ),
  readAt: nullable(time()),
  excerpt: Type.Optional(
    text({
      max: EXCERPT_CHARACTERS,
      description:
        'The beginning of the current message, or the text of its blocks if it has no content. A truncated spoiler is closed. For `flow`, the name of the flow and the error. Only with `excerpts`',
      examples: ['@ada, the alert is closed.'],
    }),
  ),
  files: Type.Optional(
    Type.Array(text({ min: 1, max: MAX_NAME, examples: ['harbour.jpg'] }), {
      maxItems: MAX_ATTACHMENTS,
      description: 'The file names, if the message has no text; only with `excerpts`',
    }),
  ),
});
export const toNotification = recordOf(notification);

export const notificationEvents = eventsOf(
  'notification',
  {
    data: notification,
    audience: 'owner',
    addressOf: ({ type, channelId }) => ({ channelId: ofOwnThings.includes(type) ? null : channelId }),
  },
  {
    created:
      'A user was mentioned, replied to or sent a direct message, a thread they follow has a new reply, their message got a reaction, a reminder is due, a scheduled message could not be sent, a message was reported to them as a moderator, or their flow failed',
    updated: 'A notification was marked as read, or an edit of its message changed its type',
    deleted: 'A notification was cleared, or its message was deleted',
  },
);

const ofMessage = expressionBuilder<Tables, 'notification'>()
  .selectFrom('message')
  .whereRef('message.id', '=', 'notification.messageId');

/** Notifies a user. Returns the id of the notification. */
export async function addNotification(
  { db, emit, newRow }: Pick<Work, 'db' | 'emit' | 'newRow'>,
  about: Pick<RowOf<'notification'>, 'userId' | 'serverId' | 'type' | 'actorId' | 'channelId' | 'messageId'>,
): Promise<string> {
  const row = { ...newRow(), ...about, readAt: null };
  await db.run(insert('notification', row));
  await emit(notificationEvents.created, toNotification(row));
  return row.id;
}

/** Removes one of a user's notifications. */
export async function removeNotification(
  { db, emit }: Pick<Work, 'db' | 'emit'>,
  found: RowOf<'notification'>,
): Promise<void> {
  await db.run(remove('notification', { id: found.id }));
  await emit(notificationEvents.deleted, toNotification(found));
}

/** Removes up to `most` notifications of one type about a record. */
export async function removeNotificationsOf(
  work: Pick<Work, 'db' | 'emit'>,
  about: Pick<RowOf<'notification'>, 'type' | 'messageId'>,
  most: number,
): Promise<void> {
  const rows = q.selectFrom('notification').selectAll().where('messageId', '=', about.messageId);
  for (const found of await work.db.all(rows.where('type', '=', about.type).limit(most)))
    await removeNotification(work, found);
}

/**
 * The columns with the excerpt of a notification's message and, if it has no text, its attachments and blocks
 * as JSON.
 */
const excerpts = [
  ofMessage
    .select(sql<string>`substr(content, 1, ${sql.lit(EXCERPT_CHARACTERS + 1)})`.as('words'))
    .as('excerpt'),
  ofMessage
    .select(sql<string | null>`case when content = '' then cast(attachments as text) end`.as('list'))
    .as('attachments'),
  ofMessage
    .select(sql<string | null>`case when content = '' then cast(blocks as text) end`.as('shown'))
    .as('blocks'),
] as const;

/** Returns a notification's record, with the names of its message's files if they were selected. */
const toListed = (
  row: object & { attachments?: string | null; blocks?: string | null; excerpt?: string | null },
  blockText: typeof textOfBlocks | undefined,
  beginningOf: ((content: string, max: number) => string) | undefined,
): ReturnType<typeof toNotification> => {
  const excerpt = row.excerpt && beginningOf?.(row.excerpt, EXCERPT_CHARACTERS);
  const record = toNotification(excerpt ? { ...row, excerpt } : row);
  if (row.blocks && blockText)
    return {
      ...record,
      excerpt: blockText(JSON.parse(row.blocks)).slice(0, EXCERPT_CHARACTERS).toWellFormed(),
    };
  if (!row.attachments) return record;
  const files = JSON.parse(row.attachments) as Static<typeof shownAttachment>[];
  return { ...record, files: files.map(({ name }) => name) };
};

export const notificationOperations = [
  read({
    operation: 'latestNotifications',
    path: '/notifications',
    tag: 'notification',
    summary: 'List your latest notifications',
    description:
      "Returns the newest notifications first: mentions, replies, thread replies, direct messages, reactions and reminders in channels of the key's server that the key can see, scheduled messages that could not be sent, flows that failed and, for moderators, reports.",
    visible: 'anyone',
    query: Type.Object({
      type: optional(oneOf(types, 'Only notifications of this type')),
      channelKind: optional(
        oneOf(['channel', 'dm'], 'Only notifications from channels of this kind; `dm` for direct messages'),
      ),
      unread: optional(flag('Only unread notifications (true) or read ones (false)')),
      excerpts: optional(
        flag(
          `Adds the first ${EXCERPT_CHARACTERS} characters of each message, in \`excerpt\`, or the names of its files, in \`files\`, if it has no text`,
        ),
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
      if (query.type !== undefined) all = all.where('notification.type', '=', query.type);
      if (query.unread !== undefined)
        all = all.where('notification.readAt', query.unread ? 'is' : 'is not', null);
      if (after) all = all.where('notification.id', '<', after[0] as string);
      const edgeOf = all.select('notification.id').limit(1).offset(MAX_SCANNED_ROWS);
      const joined = all.leftJoin('channel', 'channel.id', 'notification.channelId');
      let rows = (query.excerpts ? joined.select(excerpts) : joined)
        .selectAll('notification')
        .select('channel.isBeingSwept')
        .where((eb) =>
          eb.or([
            eb('notification.type', 'in', ofOwnThings),
            eb.and([eb('channel.id', 'is not', null), whereChannelVisible(principal)]),
          ]),
        )
        .where((eb) => eb('notification.id', '>=', eb.fn.coalesce(edgeOf, eb.val(FIRST_ID))))
        .limit(query.limit + 1);
      if (query.channelKind !== undefined) rows = rows.where('channel.kind', '=', query.channelKind);
      let [found, edge] = await Promise.all([db.all(rows), db.first(edgeOf)]);
      if (found.some(({ isBeingSwept }) => isBeingSwept))
        found = await db.all(rows.where(isOfMessageInSight));
      // The message parser is loaded only if it is needed.
      const hasBlocks = found.some((row) => (row as { blocks?: string | null }).blocks);
      const blockText = hasBlocks ? (await import('../lib/text/blockText.ts')).blockText : undefined;
      const { beginningOf } = query.excerpts ? await import('../lib/text/cut.ts') : {};
      const ofFlows = query.excerpts ? await flowExcerpts(db, principal, found) : undefined;
      const page = pageById(found, query.limit, (row) => ({
        ...toListed(row, blockText, beginningOf),
        ...(row.type === 'flow' && ofFlows?.get(row.messageId)),
      }));
      return edge && page.next === null ? { ...page, next: [edge.id] } : page;
    },
  }),
];
