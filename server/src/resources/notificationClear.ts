import type { RowOf } from '../db/schema.ts';
import { find, q, update } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import { isId } from '../lib/deps.ts';
import { Type } from '../lib/schema.ts';
import { type ActCall, act } from '../operations/act.ts';
import type { WriteCall } from '../operations/call.ts';
import { sampleId } from '../operations/examples.ts';
import { body, count, flag, optional, reference } from '../operations/fields.ts';
import { ownServerId, touched } from './common.ts';
import { notificationEvents, removeNotification, toNotification } from './notification.ts';

/** Number of notifications to change per write, each with an event, and maximum writes per request. */
const BATCH = 100;
const MAX_BATCHES = 50;

const asked = body({
  ids: optional(
    Type.Array(reference(), {
      minItems: 1,
      maxItems: BATCH,
      description: 'The notifications; by default, all of your notifications in the server',
      examples: [[sampleId('notification')]],
    }),
  ),
});

const changed = Type.Object(
  {
    count: count('Number of notifications changed'),
    isWhole: flag(
      `False if some have not been changed yet: one request changes up to ${BATCH * MAX_BATCHES} notifications. Repeat it until this is true`,
      true,
    ),
  },
  { $id: 'ChangedNotifications', title: 'ChangedNotifications', additionalProperties: false },
);

type Change = (call: WriteCall, row: RowOf<'notification'>) => Promise<void>;

/** Marks one notification as read. */
async function markAsRead({ db, emit, now }: WriteCall, row: RowOf<'notification'>): Promise<void> {
  const set = { readAt: now, updatedAt: touched(row, now) };
  await db.run(update('notification', row.id, set));
  await emit(notificationEvents.updated, toNotification({ ...row, ...set }));
}

/**
 * Loads these notifications. Throws NOT_FOUND, without revealing anything about other people's notifications.
 */
async function named({ db, principal }: WriteCall, ids: readonly string[]): Promise<RowOf<'notification'>[]> {
  const { userId, serverId } = principal;
  const unique = [...new Set(ids)];
  const found = await Promise.all(
    unique.map((id) => (isId(id) ? db.first(find('notification', { id })) : undefined)),
  );
  const own = found.filter((row) => row?.userId === userId && row.serverId === serverId);
  if (own.length === unique.length) return own as RowOf<'notification'>[];
  const there = new Set(own.map((row) => row?.id));
  const missing = unique.filter((id) => !there.has(id));
  throw new ApiError('NOT_FOUND', 'some of these are not your notifications in this server', {
    ids: missing,
  });
}

/** Changes some or all of a person's notifications in the current server, in batches. */
async function changeAll(
  { principal, newRow, write }: ActCall,
  ids: readonly string[] | undefined,
  change: Change,
  isUnread: boolean,
) {
  const serverId = ownServerId(principal);
  if (ids) {
    const some = async (call: WriteCall) => {
      const rows = (await named(call, ids)).filter(({ readAt }) => !isUnread || readAt === null);
      for (const row of rows) await change(call, row);
      return rows.length;
    };
    return { count: await write(some, serverId), isWhole: true };
  }
  // Notifications that arrive in the meantime are not changed.
  const last = newRow().id;
  let all = q
    .selectFrom('notification')
    .selectAll()
    .where('userId', '=', principal.userId)
    .where('serverId', '=', serverId)
    .where('id', '<=', last)
    .orderBy('id', 'desc')
    .limit(BATCH);
  if (isUnread) all = all.where('readAt', 'is', null);
  let done = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const changed = await write(async (call) => {
      const rows = await call.db.all(all);
      for (const row of rows) await change(call, row);
      return rows.length;
    }, serverId);
    done += changed;
    if (changed < BATCH) return { count: done, isWhole: true };
  }
  return { count: done, isWhole: false };
}

/**
 * Operations that mark notifications as read or clear them. They are in a separate file, because messages
 * import the other operations.
 */
export const notificationClearOperations = [
  act({
    operation: 'notificationsRead',
    people: true,
    method: 'POST',
    path: '/notifications/read',
    resource: 'notification',
    verb: 'update',
    summary: 'Mark notifications as read',
    description: 'Sets the `readAt` of the notifications.',
    body: asked,
    answer: changed,
    run: async (call, { body }) => ({ data: await changeAll(call, body.ids, markAsRead, true) }),
  }),

  act({
    operation: 'notificationsClear',
    people: true,
    method: 'POST',
    path: '/notifications/clear',
    resource: 'notification',
    verb: 'delete',
    summary: 'Clear notifications',
    description: 'Permanently deletes the notifications, but not their messages.',
    body: asked,
    answer: changed,
    run: async (call, { body }) => ({ data: await changeAll(call, body.ids, removeNotification, false) }),
  }),
];
