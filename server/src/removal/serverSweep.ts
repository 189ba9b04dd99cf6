import type { Kysely } from 'kysely';
import { removeDependents } from '../db/removal.ts';
import { type RowOf, type TableName, tableNames, tables } from '../db/schema.ts';
import { find, q, remove } from '../db/statements.ts';
import { unmark } from '../db/sweep.ts';
import type { Work } from '../operations/work.ts';
import { removeInstalls } from '../resources/appInstall.ts';
import { removeInvitation } from '../resources/invitation.ts';
import { deleteMarkers } from '../resources/reading/forget.ts';
import { revokeSecrets } from '../resources/secret/revoke.ts';
import { serverGoneEvents, toServerGone } from '../resources/server/serverRecord.ts';
import type { Sweeping } from './sweeping.ts';

/** Number of members to remove per write. Each may have roles, and may cause an event in its user's log. */
const MEMBERS_IN_WRITE = 50;
/**
 * Number of installs in other servers to remove per write. Each can append to the log of a different server.
 */
const INSTALLS_IN_WRITE = 20;

/**
 * Tables whose rows are deleted in other ways: by the parts below, with a member or channel or, if there are
 * few, with the server's row.
 */
const deletedOtherwise: readonly TableName[] = [
  'channel',
  'channelMember',
  'serverMember',
  'invitation',
  'webhook',
  'indicator',
  'serverReading',
  'draft',
  'picture',
];

/**
 * Tables whose rows are deleted by server, in this order. Tables with foreign keys to other tables come
 * first.
 */
export const tablesOfServer: readonly TableName[] = tableNames
  .filter((table) => tables[table].goesWith?.serverId?.by === 'foreignKey')
  .filter((table) => !deletedOtherwise.includes(table))
  .reverse();

type Mark = RowOf<'sweep'>;

/** Deletes a batch of one part of a server. Returns false if there was nothing to delete. */
type Part = (sweeping: Sweeping, mark: Mark, rows: number) => Promise<boolean>;

/**
 * Removes the server's apps from other servers, with events in those servers, and deletes the app secrets
 * that those servers stored for them.
 */
const appsElsewhere: Part = async ({ read, change }, { id }) => {
  const found = await read.all(elsewhere('appInstall', id));
  const secrets = found.length === 0 ? await read.all(elsewhere('secret', id)) : [];
  const others = [...new Set([...found, ...secrets].map(({ serverId }) => serverId))];
  if (others.length === 0) return false;
  const ids = [...found, ...secrets].map((row) => row.id);
  const removal = (work: Work) =>
    found.length > 0 ? removeInstalls(work, ids) : revokeSecrets(work, { id: ids }).then(() => {});
  await change(removal, others[0], others.slice(1));
  return true;
};

const elsewhere = (table: 'appInstall' | 'secret', serverId: string) =>
  q
    .selectFrom(table)
    .innerJoin('app', 'app.id', `${table}.appId`)
    .select([`${table}.id`, `${table}.serverId`])
    .where('app.serverId', '=', serverId)
    .where(`${table}.serverId`, '!=', serverId)
    .limit(INSTALLS_IN_WRITE);

/**
 * Deletes a channel with its contents. Emits no events for the contents, as when only a channel is deleted.
 */
const channels: Part = async ({ read, change }, { id }, rows) => {
  const channel = await read.first(firstOf('channel', id));
  if (!channel) return false;
  await change(async ({ db }) => {
    if (await removeDependents(db, 'channel', channel.id, rows))
      await db.run(remove('channel', { id: channel.id }));
  });
  return true;
};

const webhooks: Part = async ({ read, change }, { id }, rows) => {
  const webhook = await read.first(firstOf('webhook', id));
  if (!webhook) return false;
  const some = q
    .selectFrom('webhookDelivery')
    .select('id')
    .where('webhookId', '=', webhook.id)
    .orderBy('id')
    .limit(rows);
  await change(async ({ db }) => {
    const removed = await db.count(q.deleteFrom('webhookDelivery').where('id', 'in', some));
    if (removed < rows) await db.run(remove('webhook', { id: webhook.id }));
  });
  return true;
};

/** Removes members, and notifies people through their own logs. */
const members: Part = async ({ read, change }, { id }, rows) => {
  const found = await read.all(
    q
      .selectFrom('serverMember')
      .select(['id', 'userId', 'isAgent'])
      .where('serverId', '=', id)
      .orderBy('id')
      .limit(Math.min(rows, MEMBERS_IN_WRITE)),
  );
  if (found.length === 0) return false;
  const people = found.filter(({ isAgent }) => !isAgent).map(({ userId }) => userId);
  await change(
    async ({ db, emit }) => {
      const server = await db.first(find('server', { id }));
      for (const member of found) {
        const { userId } = member;
        await db.run(remove('indicator', { serverId: id, userId }));
        await db.run(remove('userRole', { serverId: id, userId }));
        // Channel markers are deleted along with the channels.
        await deleteMarkers(db, { serverId: id, userId });
        const isFirst = (await db.count(remove('serverMember', { id: member.id }))) === 1;
        // Another process may have swept the same members.
        if (isFirst && server && !member.isAgent)
          await emit(serverGoneEvents.deleted, toServerGone(server, userId));
      }
    },
    id,
    people,
  );
  return true;
};

/** Removes open invitations, and notifies the invited people through their own logs. */
const invitations: Part = async ({ read, change }, { id }, rows) => {
  const found = await read.all(
    q
      .selectFrom('invitation')
      .select(['id', 'userId'])
      .where('serverId', '=', id)
      .orderBy('id')
      .limit(Math.min(rows, MEMBERS_IN_WRITE)),
  );
  if (found.length === 0) return false;
  const userIds = found.map(({ userId }) => userId);
  await change(
    async (work) => {
      for (const userId of userIds) await removeInvitation(work, { serverId: id, userId });
    },
    id,
    userIds,
  );
  return true;
};

/** Deletes the rows of a server from one table. */
const rowsOf =
  (table: TableName): Part =>
  async ({ read, change }, { id }, rows) => {
    if (!(await read.first(firstOf(table, id)))) return false;
    const some = any
      .selectFrom(table as string)
      .select('id')
      .where('serverId', '=', id)
      .limit(rows);
    await change(({ db }) => db.run(any.deleteFrom(table as string).where('id', 'in', some)));
    return true;
  };

/** Deletes unsent files, which are not in any channel. */
const unsentFiles: Part = async ({ read, change }, { id }, rows) => {
  const unsent = q
    .selectFrom('attachment')
    .select('id')
    .where('serverId', '=', id)
    .where('messageId', 'is', null)
    .limit(rows);
  if (!(await read.first(unsent))) return false;
  await change(({ db }) => db.run(q.deleteFrom('attachment').where('id', 'in', unsent)));
  return true;
};

const log: Part = async ({ read, change }, { id }, rows) => {
  const next = await read.first(
    q.selectFrom('event').select('seq').where('logId', '=', id).orderBy('seq').limit(1),
  );
  if (!next) return false;
  await change(({ db }) =>
    db.run(
      q
        .deleteFrom('event')
        .where('logId', '=', id)
        .where('seq', '<', next.seq + rows),
    ),
  );
  return true;
};

/** The parts of a server in deletion order. Parts that others can see or are notified of come first. */
const parts: readonly Part[] = [
  appsElsewhere,
  webhooks,
  members,
  invitations,
  channels,
  unsentFiles,
  ...tablesOfServer.map(rowsOf),
  log,
];

/**
 * Deletes some rows of a deleted server. Once nothing else is left, deletes the server and the mark, and
 * returns true.
 */
export async function sweepServer(sweeping: Sweeping, mark: Mark, rows: number): Promise<boolean> {
  for (const part of parts) if (await part(sweeping, mark, rows)) return false;
  const { id } = mark;
  return sweeping.change(async ({ db }) => {
    // Sweeps of earlier deletes in this server may still append to its log.
    const others = await db.all(find('sweep', { serverId: id }));
    if (others.length > 1) return false;
    await db.run(remove('fileUse', { serverId: id }));
    await db.run(remove('server', { id }));
    await unmark(db, mark);
    return true;
  }, id);
}

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

const firstOf = (table: TableName, serverId: string) =>
  any
    .selectFrom(table as string)
    .select('id')
    .where('serverId', '=', serverId)
    .limit(1);
