import { remove } from '../db/statements.ts';
import { mark, removeOrMark } from '../db/sweep.ts';
import { type Consequences, on, type Work } from '../operations/work.ts';
import { appEvents } from './app/appRecord.ts';
import { emitInstallsDeleted, emitOwnInstall } from './appInstall.ts';
import { categoryEvents } from './category.ts';
import { removeCategoryFromChannels, removeRoleFromChannels } from './channel/change.ts';
import { channelEvents } from './channel/channelRecord.ts';
import { removeCommands } from './command/index.ts';
import { takeInteraction } from './flow/pressed.ts';
import { turnOffWhere } from './flow/turnOff.ts';
import { endInteractionsOf } from './interaction/end.ts';
import { interactionEvents } from './interaction/interactionRecord.ts';
import { closeInvitation, removeInvitation } from './invitation.ts';
import { renewKeywords } from './keywords/keywords.ts';
import type { Share } from './message/delete.ts';
import { messageEvents, type toMessage } from './message/messageRecord.ts';
import { deleteReading } from './reading/forget.ts';
import { effectsOfMember, effectsOfMessage, effectsOfRole } from './removalEffects.ts';
import { roleEvents } from './role.ts';
import { revokeSecrets } from './secret/revoke.ts';
import { countMembers } from './server/count.ts';
import { serverBanEvents } from './serverBan.ts';
import type { Entry } from './serverMember/join.ts';
import { emitRoles, serverMemberEvents } from './serverMember/memberRecord.ts';
import { agentsOf, type Departure, removeUser } from './serverMember/remove.ts';
import { leaveThread, renameThreads, takeReply, threadOf } from './thread/change.ts';
import { giveRole, type RoleChange, takeRoles, userRoleEvents } from './userRole.ts';
import { removeWebhooks } from './webhook/remove.ts';

/**
 * The consequences of each event: further changes in the same transaction, with their own events. They run
 * whether an operation, a command or the initial setup makes the change. The facts of each table (`goesWith`)
 * list the rows that are deleted without events.
 */
export const consequences: Consequences = new Map([
  on(appEvents.updated, emitOwnInstall),
  on(appEvents.deleted, emitInstallsDeleted, (work, { id }) => revoke(work, { appId: id })),
  on(categoryEvents.deleted, removeCategoryFromChannels),
  on(channelEvents.deleted, (work, { id }) => revoke(work, { channelId: id })),
  on(interactionEvents.created, takeInteraction),
  on(messageEvents.created, takeReply),
  on(messageEvents.updated, renameThreads),
  on(messageEvents.deleted, deleteDependents),
  on(
    roleEvents.deleted,
    (work, { id }) => revoke(work, { roleId: id }),
    (work, { id, serverId }) => turnOffWhere(work, { serverId, roleId: id }, 'its role was deleted'),
    removeRoleFromChannels,
    takeRoleFromMembers,
  ),
  on(serverBanEvents.created, removeUser, closeInvitation),
  on(
    serverMemberEvents.created,
    giveFirstRoles,
    (work, { serverId }, { isCounted }: Entry) =>
      isCounted ? Promise.resolve() : countMembers(work, serverId, 1),
    removeInvitation,
    (work, { serverId, userId }) => work.db.run(remove('departure', { serverId, userId })),
    (work, { userId }) => renewKeywords(work, userId),
  ),
  on(
    serverMemberEvents.deleted,
    (work, { serverId, userId }) => revoke(work, { serverId, userId }),
    (work, { serverId, userId }) => revoke(work, { serverId, creatorId: userId }),
    (work, { serverId, userId }) =>
      turnOffWhere(work, { serverId, userId }, 'the member who last saved it, or its agent, left the server'),
    removeFromServer,
    (work, { serverId }) => countMembers(work, serverId, -1),
    removeAgents,
  ),
  on(userRoleEvents.created, emitMember),
  on(userRoleEvents.deleted, emitMember),
]);

/** Revokes the API keys, app secrets and webhooks that belong to a deleted record. */
async function revoke(
  work: Work,
  where:
    | { appId: string }
    | { channelId: string }
    | { roleId: string }
    | { serverId: string; userId: string | readonly string[] }
    | { serverId: string; creatorId: string | readonly string[] },
): Promise<void> {
  // An app secret belongs to the app, not to the member who stored it.
  if ('creatorId' in where) await revokeSecrets(work, { ...where, kind: 'apiKey' });
  else if (!('channelId' in where)) await revokeSecrets(work, where);
  if (!('appId' in where)) await removeWebhooks(work, where);
}

type Message = ReturnType<typeof toMessage>;

/** Deletes the dependents of a deleted message, and removes it from its thread. */
async function deleteDependents(work: Work, message: Message, { limit }: Share = {}): Promise<void> {
  const { db, actorId, actorKind: actor } = work;
  const { id, serverId, channelId } = message;
  const deleted = { noun: 'message', id, serverId, channelId, actorId, actor } as const;
  // The two calls start together, to share a round trip to PostgreSQL.
  const [reply] = await Promise.all([
    threadOf(db, message),
    removeOrMark(db, deleted, effectsOfMessage(work), limit),
  ]);
  if (reply) await leaveThread(work, reply);
}

/** Removes a deleted role from its members. */
async function takeRoleFromMembers(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
): Promise<void> {
  const { db, actorId, actorKind: actor } = work;
  await removeOrMark(
    db,
    { noun: 'role', id, serverId, channelId: null, actorId, actor },
    effectsOfRole(work),
  );
}

/** Number of users per query. */
const BATCH_USERS = 500;
/**
 * Maximum agents removed in the same write as the member who created them, limited because each has its own
 * roles and keys. A sweep removes the rest.
 */
const AGENTS_IN_WRITE = 20;

/**
 * Removes the agents that a removed member created, and the agents that those created. All their keys and
 * webhooks are revoked immediately. This write removes up to `AGENTS_IN_WRITE` agents; sweeps remove the rest.
 */
async function removeAgents(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
  known: Departure | undefined,
): Promise<void> {
  if (known?.isWithMaker) return;
  const { db, actorId, actorKind: actor } = work;
  const agents = await agentsOf(db, id);
  const userIds = agents.map(({ userId }) => userId);
  for (let first = 0; first < userIds.length; first += BATCH_USERS) {
    const some = userIds.slice(first, first + BATCH_USERS);
    await revoke(work, { serverId, userId: some });
    await revoke(work, { serverId, creatorId: some });
  }
  const deleted = { noun: 'serverMember', serverId, channelId: null, actorId, actor } as const;
  const makers = new Set(agents.map(({ sponsorId }) => sponsorId as string));
  for (const maker of makers) if (maker !== id) await mark(db, { ...deleted, id: maker });
  if (agents.length > 0) await removeOrMark(db, { ...deleted, id }, effectsOfMember(work), AGENTS_IN_WRITE);
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
  await work.db.run(remove('grant', { serverId, userId }));
  await deleteReading(work, { serverId, userId });
  await removeCommands(work, { serverId, userId });
  await endInteractionsOf(work, { serverId, userId });
}

/** Emits `serverMember.updated`, because member records contain the members' roles. */
async function emitMember(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
  known: RoleChange | undefined,
): Promise<void> {
  if (!known?.isMemberEmitted) await emitRoles(work, serverId, [userId]);
}
