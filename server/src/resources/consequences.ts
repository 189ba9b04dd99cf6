import type { Reader } from '../db/contract.ts';
import { q, remove } from '../db/statements.ts';
import { type Consequences, on, type Work } from '../operations/work.ts';
import { appEvents } from './app/record.ts';
import { emitInstallsDeleted, emitOwnInstall } from './appInstall.ts';
import { channelEvents, removeRoleFromChannels } from './channel.ts';
import { messageEvents, type toMessage } from './message/record.ts';
import { notificationEvents, toNotification } from './notification.ts';
import { pinEvents, toPin } from './pin.ts';
import { reactionEvents, toReaction } from './reaction.ts';
import { roleEvents } from './role.ts';
import { revokeSecrets } from './secret/revoke.ts';
import { countMembers } from './server/count.ts';
import type { Entry } from './serverMember/join.ts';
import { emitRoles, serverMemberEvents } from './serverMember/record.ts';
import { leaveThreads, takeReply, threadsAround } from './thread/change.ts';
import { giveRole, type RoleChange, takeRoles, userRoleEvents } from './userRole.ts';
import { removeWebhooks } from './webhook/remove.ts';

/**
 * The consequences of each event: further changes in the same transaction, with events of their own. They follow
 * whether an operation, a command or the first run makes the change. Rows that are deleted without events of their own
 * are in the facts of their tables (`goesWith`).
 */
export const consequences: Consequences = new Map([
  on(appEvents.updated, emitOwnInstall),
  on(appEvents.deleted, emitInstallsDeleted, (work, { id }) => revoke(work, { appId: id })),
  on(channelEvents.deleted, (work, { id }) => revoke(work, { channelId: id })),
  on(messageEvents.created, takeReply),
  on(messageEvents.deleted, deleteDependents),
  on(
    roleEvents.deleted,
    (work, { id }) => revoke(work, { roleId: id }),
    removeRoleFromChannels,
    takeRoleFromMembers,
  ),
  on(serverMemberEvents.created, giveFirstRoles, (work, { serverId }, { isCounted }: Entry) =>
    isCounted ? Promise.resolve() : countMembers(work, serverId, 1),
  ),
  on(
    serverMemberEvents.deleted,
    (work, { serverId, userId }) => revoke(work, { serverId, userId }),
    removeFromServer,
    (work, { serverId }) => countMembers(work, serverId, -1),
  ),
  on(userRoleEvents.created, emitMember),
  on(userRoleEvents.deleted, emitMember),
]);

/** Revokes the keys, apps' secrets and webhooks that belong to a deleted record. */
async function revoke(
  work: Work,
  where:
    | { appId: string }
    | { channelId: string }
    | { roleId: string }
    | { serverId: string; userId: string },
): Promise<void> {
  if (!('channelId' in where)) await revokeSecrets(work, where);
  if (!('appId' in where)) await removeWebhooks(work, where);
}

type Message = ReturnType<typeof toMessage>;

/** The tables whose rows depend on one message. `isOn` is false if the message has no such rows. */
const dependents = {
  pin: { deleted: pinEvents.deleted, toRecord: toPin, isOn: ({ pinned }: Message) => pinned },
  reaction: {
    deleted: reactionEvents.deleted,
    toRecord: toReaction,
    isOn: ({ reactions }: Message) => reactions.length > 0,
  },
  notification: { deleted: notificationEvents.deleted, toRecord: toNotification, isOn: () => true },
};

const dependentsOn = (db: Reader, table: keyof typeof dependents, messageId: string) =>
  db.all(q.selectFrom(table).selectAll().where('messageId', '=', messageId).orderBy('id'));

/** Reads everything first: on PostgreSQL, a read after a change waits for the earlier writes of the batch. */
async function deleteDependents(work: Work, message: Message): Promise<void> {
  const { db, emit } = work;
  const tables = (Object.keys(dependents) as (keyof typeof dependents)[]).filter((table) =>
    dependents[table].isOn(message),
  );
  const [found, threads] = await Promise.all([
    Promise.all(tables.map(async (table) => ({ table, rows: await dependentsOn(db, table, message.id) }))),
    threadsAround(db, message),
  ]);
  for (const { table, rows } of found) {
    if (rows.length > 0) await db.run(remove(table, { messageId: message.id }));
    const { deleted, toRecord } = dependents[table];
    for (const row of rows) await emit<ReturnType<typeof toRecord>>(deleted as never, toRecord(row));
  }
  await leaveThreads(work, threads);
}

async function takeRoleFromMembers(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
): Promise<void> {
  await emitRoles(work, serverId, await takeRoles(work, { roleId: id }));
}

async function giveFirstRoles(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
  { roleIds }: Entry,
): Promise<void> {
  for (const roleId of roleIds) await giveRole(work, { serverId, userId, roleId }, { isMemberEmitted: true });
}

async function removeFromServer(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  await takeRoles(work, { serverId, userId });
  await work.db.run(remove('indicator', { serverId, userId }));
}

/** Emits `serverMember.updated`, since reads of members show their roles. */
async function emitMember(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
  known: RoleChange | undefined,
): Promise<void> {
  if (!known?.isMemberEmitted) await emitRoles(work, serverId, [userId]);
}
