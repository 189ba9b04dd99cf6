import type { Reader } from '../db/contract.ts';
import { q, remove } from '../db/statements.ts';
import { type Consequences, on, type Work } from '../operations/work.ts';
import { appEvents } from './app/record.ts';
import { tellInstallsGone, tellOwnInstall } from './appInstall.ts';
import { channelEvents, leaveChannels } from './channel.ts';
import { messageEvents, type toMessage } from './message/record.ts';
import { notificationEvents, toNotification } from './notification.ts';
import { pinEvents, toPin } from './pin.ts';
import { reactionEvents, toReaction } from './reaction.ts';
import { roleEvents } from './role.ts';
import { revokeSecrets } from './secret/revoke.ts';
import { countMembers } from './server/count.ts';
import type { Entry } from './serverMember/join.ts';
import { serverMemberEvents, tellRoles } from './serverMember/record.ts';
import { leaveThreads, takeReply, threadsAround } from './thread/change.ts';
import { giveRole, type RoleTold, takeRoles, userRoleEvents } from './userRole.ts';
import { removeWebhooks } from './webhook/remove.ts';

/**
 * The changes that a change takes with it, whoever makes it: an operation, a command, the first run. Each is made in the same
 * transaction, and tells of itself. Rows that go without an event of their own are named by their tables (`goesWith`).
 */
export const consequences: Consequences = new Map([
  on(appEvents.updated, tellOwnInstall),
  on(appEvents.deleted, tellInstallsGone, (work, { id }) => revoke(work, { appId: id })),
  on(channelEvents.deleted, (work, { id }) => revoke(work, { channelId: id })),
  on(messageEvents.created, takeReply),
  on(messageEvents.deleted, takeHanging),
  on(roleEvents.deleted, (work, { id }) => revoke(work, { roleId: id }), leaveChannels, takeFromHolders),
  on(serverMemberEvents.created, giveFirstRoles, (work, { serverId }, { isCounted }: Entry) =>
    isCounted ? Promise.resolve() : countMembers(work, serverId, 1),
  ),
  on(
    serverMemberEvents.deleted,
    (work, { serverId, userId }) => revoke(work, { serverId, userId }),
    leaveServer,
    (work, { serverId }) => countMembers(work, serverId, -1),
  ),
  on(userRoleEvents.created, tellHolder),
  on(userRoleEvents.deleted, tellHolder),
]);

/** The credentials, and the ways out of the server, that hang on a thing that is gone: keys, apps' secrets and webhooks. */
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

/** Things that hang on one message alone, with the event and the record of each. */
const hanging = {
  pin: { deleted: pinEvents.deleted, toRecord: toPin, isOn: ({ pinned }: Message) => pinned },
  reaction: {
    deleted: reactionEvents.deleted,
    toRecord: toReaction,
    isOn: ({ reactions }: Message) => reactions.length > 0,
  },
  notification: { deleted: notificationEvents.deleted, toRecord: toNotification, isOn: () => true },
};

const hangingOn = (db: Reader, table: keyof typeof hanging, messageId: string) =>
  db.all(q.selectFrom(table).selectAll().where('messageId', '=', messageId).orderBy('id'));

/** All reads come first: on PostgreSQL a read after a change waits for its turn among the writes of the server. */
async function takeHanging(work: Work, message: Message): Promise<void> {
  const { db, emit } = work;
  const tables = (Object.keys(hanging) as (keyof typeof hanging)[]).filter((table) =>
    hanging[table].isOn(message),
  );
  const [found, threads] = await Promise.all([
    Promise.all(tables.map(async (table) => ({ table, rows: await hangingOn(db, table, message.id) }))),
    threadsAround(db, message),
  ]);
  for (const { table, rows } of found) {
    if (rows.length > 0) await db.run(remove(table, { messageId: message.id }));
    const { deleted, toRecord } = hanging[table];
    for (const row of rows) await emit<ReturnType<typeof toRecord>>(deleted as never, toRecord(row));
  }
  await leaveThreads(work, threads);
}

async function takeFromHolders(
  work: Work,
  { id, serverId }: { id: string; serverId: string },
): Promise<void> {
  await tellRoles(work, serverId, await takeRoles(work, { roleId: id }));
}

async function giveFirstRoles(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
  { roleIds }: Entry,
): Promise<void> {
  for (const roleId of roleIds) await giveRole(work, { serverId, userId, roleId }, { isTold: true });
}

async function leaveServer(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  await takeRoles(work, { serverId, userId });
  await work.db.run(remove('indicator', { serverId, userId }));
}

/** Reads of members show their roles. */
async function tellHolder(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
  known: RoleTold | undefined,
): Promise<void> {
  if (!known?.isTold) await tellRoles(work, serverId, [userId]);
}
