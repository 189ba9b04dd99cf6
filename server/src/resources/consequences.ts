import type { Kysely } from 'kysely';
import { dependentsOf } from '../db/bonds.ts';
import type { Reader } from '../db/contract.ts';
import { ROWS_IN_WRITE, releaseDependents, removeDependents } from '../db/removal.ts';
import { q, remove } from '../db/statements.ts';
import { mark } from '../db/sweep.ts';
import { type Consequences, on, type Work } from '../operations/work.ts';
import { appEvents } from './app/record.ts';
import { emitInstallsDeleted, emitOwnInstall } from './appInstall.ts';
import { channelEvents, removeRoleFromChannels } from './channel.ts';
import { messageEvents, type toMessage } from './message/record.ts';
import { roleEvents } from './role.ts';
import { revokeSecrets } from './secret/revoke.ts';
import { countMembers } from './server/count.ts';
import type { Entry } from './serverMember/join.ts';
import { emitRoles, serverMemberEvents } from './serverMember/record.ts';
import { effectsOfMessage, effectsOfRole } from './swept.ts';
import { leaveThread, takeReply, threadOf } from './thread/change.ts';
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

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

/** The rows that depend on a message: of each table up to as many as a write removes, and one more. */
const readDependents = (db: Reader, messageId: string) =>
  Promise.all(
    dependentsOf('message', 'sweep').map(async ({ table, column }) => {
      const rows = any
        .selectFrom(table as string)
        .selectAll()
        .where(column, '=', messageId);
      const some = await db.all<{ id: string }>(rows.limit(ROWS_IN_WRITE + 1));
      return { table, column, rows: some.sort((one, other) => (one.id < other.id ? -1 : 1)) };
    }),
  );

/**
 * Deletes the rows that depend on a deleted message, or marks the message for a sweep if they are too many for one
 * write. Reads first: on PostgreSQL, a read after a change waits for the earlier writes of the batch.
 */
async function deleteDependents(work: Work, message: Message): Promise<void> {
  const { db, actorId } = work;
  const { id, serverId, channelId } = message;
  const effects = effectsOfMessage(work);
  const [dependents, reply] = await Promise.all([readDependents(db, id), threadOf(db, message)]);
  const isTooMany = dependents.some(({ rows }) => rows.length > ROWS_IN_WRITE);
  for (const { table, column, rows } of isTooMany ? [] : dependents) {
    if (rows.length === 0) continue;
    await db.run(remove(table, { [column]: id }));
    await effects.removed[table]?.(rows);
  }
  const isAll = isTooMany
    ? await removeDependents(db, 'message', id, ROWS_IN_WRITE, effects)
    : await releaseDependents(db, 'message', [id], ROWS_IN_WRITE, effects.release);
  if (!isAll) await mark(db, { noun: 'message', id, serverId, channelId, actorId });
  if (reply) await leaveThread(work, reply);
}

/** Takes a deleted role from its members, or marks it for a sweep if they are too many for one write. */
async function takeRoleFromMembers(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
): Promise<void> {
  const { db, actorId } = work;
  if (await removeDependents(db, 'role', id, ROWS_IN_WRITE, effectsOfRole(work))) return;
  await mark(db, { noun: 'role', id, serverId, channelId: null, actorId });
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
