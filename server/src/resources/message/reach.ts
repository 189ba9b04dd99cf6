import { sql } from 'kysely';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { UNREAD_MS } from '../../db/tables/emailDigest.ts';
import type { Work } from '../../operations/work.ts';

/** Number of notifications per statement. */
const AT_ONCE = 500;

/**
 * The types of notifications about messages. Email digests contain mentions, and in direct messages all of
 * these types.
 */
const messageTypes: readonly RowOf<'notification'>['type'][] = ['mention', 'direct', 'reply', 'thread'];

/**
 * Queues a push to each device of the notified people, replacing any unsent push for the same channel, and
 * sets the time of their next email digest. Call this after you insert the notifications. The statements
 * return nothing, so the transaction does not wait for them. Whether to notify a person at all is decided
 * when a push or a digest is sent.
 */
export async function reach(
  { db, now }: Pick<Work, 'db' | 'now'>,
  notificationIds: readonly string[],
): Promise<void> {
  for (let first = 0; first < notificationIds.length; first += AT_ONCE) {
    const some = notificationIds.slice(first, first + AT_ONCE);
    await db.run(pushes(some));
    await db.run(digests(some, now));
  }
}

const pushes = (notificationIds: readonly string[]) =>
  q
    .insertInto('push')
    .columns([
      'pushSubscriptionId',
      'channelId',
      'serverId',
      'messageId',
      'createdAt',
      'isShown',
      'attempts',
      'dueAt',
    ])
    .expression((eb) =>
      eb
        .selectFrom('notification as told')
        .innerJoin('pushSubscription as device', 'device.userId', 'told.userId')
        .select(['device.id', 'told.channelId', 'told.serverId', 'told.messageId', 'told.createdAt'])
        .select([sql.lit(false).as('isShown'), sql.lit(0).as('attempts'), 'told.createdAt as dueAt'])
        .where('told.id', 'in', notificationIds),
    )
    .onConflict((conflict) =>
      conflict.columns(['pushSubscriptionId', 'channelId']).doUpdateSet((eb) => ({
        messageId: eb.ref('excluded.messageId'),
        createdAt: eb.ref('excluded.createdAt'),
        isShown: eb.ref('excluded.isShown'),
        attempts: unlessPending('attempts'),
        dueAt: unlessPending('dueAt'),
      })),
    );

/**
 * Returns the new value of a push's column. A push that is in progress or waiting for a retry keeps its time,
 * so that new messages do not bypass the backoff.
 */
const unlessPending = (column: 'attempts' | 'dueAt') =>
  sql<number>`case when not push."isShown" and push.attempts > 0 then ${sql.ref(`push.${column}`)}
    else ${sql.ref(`excluded.${column}`)} end`;

const digests = (notificationIds: readonly string[], now: number) =>
  q
    .updateTable('emailDigest')
    .set({ dueAt: now + UNREAD_MS })
    .where('dueAt', 'is', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notification as told')
        .innerJoin('channel', 'channel.id', 'told.channelId')
        .select('told.userId')
        .where('told.id', 'in', notificationIds)
        .where('told.type', 'in', messageTypes)
        .where((of) => of.or([of('told.type', '=', 'mention'), of('channel.kind', '=', 'dm')])),
    );
