import type { Principal } from '../access/principal.ts';
import type { Readable } from '../access/visibility.ts';
import { sightOf, whereChannelVisible } from '../access/whereVisible.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, prepare, q, remove, update } from '../db/statements.ts';
import { mark } from '../db/sweep.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import type { LostBy } from '../feed/log.ts';
import { nameKey } from '../lib/names.ts';
import { Type } from '../lib/schema.ts';
import { sampleId } from '../operations/examples.ts';
import type { Existing } from '../operations/existing.ts';
import {
  body,
  count,
  flag,
  id,
  longText,
  name,
  nullable,
  optional,
  record,
  reference,
} from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, alters, load, recordOf, sent, serverIdOf, serverTarget, touched } from './common.ts';
import { pageOf } from './lists.ts';
import { sharedPart } from './snapshotPart.ts';

const fields = {
  name: name('Unique in its server, ignoring case', 'general'),
  description: nullable(longText(undefined, 'News for everyone')),
  private: flag('Visible only to members with a role in `roleIds`, admins, and the owner of the server'),
  readonly: flag('Only admins and moderators can post'),
  position: count('Sort position in lists of channels'),
};

const channel = record('Channel', {
  serverId: id(),
  ...fields,
  creatorId: id(),
  roleIds: Type.Array(id(), { description: 'The roles that can see a private channel', examples: [[]] }),
});
const toChannel = recordOf(channel);

export const channelEvents = eventsOf(
  'channel',
  { data: channel, audience: 'channel', addressOf: ({ id }) => ({ channelId: id }) },
  {
    created: 'A channel was created',
    updated: 'A channel was updated, or one of its roles was deleted',
    deleted:
      'A channel was deleted, with its messages, threads, pins and reactions, which get no events of their own',
  },
);

const changes = {
  description: optional(fields.description),
  private: optional(fields.private),
  readonly: optional(fields.readonly),
  position: optional(fields.position),
  roleIds: optional(Type.Array(reference(), { maxItems: 100 })),
};

const nextPosition = prepare((p: { serverId: string }) =>
  q
    .selectFrom('channel')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('serverId', '=', p.serverId),
);

export const channelOperations = [
  read({
    operation: 'channelsByServer',
    path: '/servers/:serverId/channels',
    tag: 'channel',
    summary: "List a server's channels",
    description: 'Only channels the key can see, by position.',
    visible: 'member',
    answer: channel,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db, principal }, { params, query, after }) {
      let rows = q
        .selectFrom('channel')
        .selectAll()
        .where('serverId', '=', params.serverId)
        .where(whereChannelVisible(principal))
        .orderBy('position')
        .orderBy('id')
        .limit(query.limit + 1);
      if (after) {
        const [position, id] = after as [number, string];
        rows = rows.where((eb) => eb(eb.refTuple('position', 'id'), '>', eb.tuple(position, id)));
      }
      return pageOf(await db.all(rows), query.limit, ({ position, id }) => [position, id], toChannel);
    },
  }),

  read({
    operation: 'channelById',
    path: '/channels/:channelId',
    tag: 'channel',
    summary: 'Get a channel',
    visible: 'channel',
    answer: channel,
    target: ({ db }, { params }) => channelTarget(db, params.channelId),
    run: async (_call, _input, target) => toChannel((await target).channel),
  }),

  write({
    operation: 'channelInsert',
    path: '/channels',
    resource: 'channel',
    verb: 'insert',
    summary: 'Create a channel',
    body: body({ name: fields.name, serverId: optional(reference()), ...changes }),
    examples: {
      'For everyone': { name: 'general', description: 'News for everyone' },
      'For some roles': { name: 'staff', private: true, roleIds: [sampleId('role')] },
    },
    answer: channel,
    existing: async (call, { body }) =>
      channelNamed(call.db, await serverIdOf(call, body.serverId), body.name),
    async target(call, { body }) {
      const serverId = await serverIdOf(call, body.serverId);
      return { serverId, roleIds: await rolesOf(call.db, serverId, body.roleIds) };
    },
    run: (call, { body }, { serverId, roleIds }) =>
      addChannel(call, {
        ...sent(body, 'description', 'private', 'readonly', 'position'),
        name: body.name,
        serverId,
        roleIds: roleIds ?? [],
        creatorId: call.principal.userId,
      }),
  }),

  write({
    operation: 'channelUpdate',
    path: '/channels/:id',
    resource: 'channel',
    verb: 'update',
    summary: 'Update a channel',
    body: body({ id: optional(reference()), name: optional(fields.name), ...changes }),
    examples: { Example: { name: 'announcements', readonly: true } },
    answer: channel,
    async existing({ db }, { params, body: { name = '' } }) {
      return channelNamed(db, (await channelTarget(db, params.id)).serverId, name);
    },
    async target({ db }, { params, body }) {
      const target = await channelTarget(db, params.id);
      return { ...target, roleIds: await rolesOf(db, target.serverId, body.roleIds) };
    },
    run: (call, { body }, { channel: found, roleIds }) =>
      changeChannel(call, found, {
        ...sent(body, 'name', 'description', 'private', 'readonly', 'position'),
        ...(body.name !== undefined && { nameKey: nameKey(body.name) }),
        ...(roleIds && { roleIds }),
      }),
  }),

  write({
    operation: 'channelDelete',
    path: '/channels/:id',
    resource: 'channel',
    verb: 'delete',
    summary: 'Delete a channel and everything in it',
    answer: channel,
    target: ({ db }, { params }) => channelTarget(db, params.id),
    async run({ db, actorId, actorKind: actor, emit }, _input, { channel: found }) {
      await emit(channelEvents.deleted, toChannel(found));
      await db.run(remove('channel', { id: found.id }));
      // The channel may have millions of messages. They are hidden from now on, and upkeep sweeps them in
      // small writes.
      const { id, serverId } = found;
      await mark(db, { noun: 'channel', id, serverId, channelId: null, actorId, actor });
      return toChannel(found);
    },
  }),
];

/** The channels of a snapshot. */
export const channelsPart = sharedPart({
  schema: Type.Array(channel, { description: 'The channels you can see, by position' }),
  read: ({ channels }) => channels.map(toChannel),
});

/** The channel that already has this name. */
async function channelNamed(db: Reader, serverId: string, name: string): Promise<Existing | undefined> {
  const channel = await db.first(find('channel', { serverId, nameKey: nameKey(name) }));
  return channel && { id: channel.id, serverId, channel, visible: 'channel' };
}

/** Loads a channel as the target of a read or write. Throws NOT_FOUND. */
export async function channelTarget(db: Reader, channelId: string) {
  const found = await load(db, 'channel', channelId);
  return { serverId: found.serverId, channel: found };
}

/**
 * Implements `ahead` for a read in a channel whose queries check `isSeen`. Returns the target without the
 * channel, or undefined if the queries cannot check it and so must not start.
 */
export const aheadInChannel = (principal: Principal, channelId: string): Readable | undefined =>
  sightOf(principal, channelId) && { serverId: principal.serverId };

/**
 * The `roleIds` of a channel, deduplicated. Throws NOT_FOUND, or INVALID_REQUEST for a role in another
 * server.
 */
async function rolesOf(
  db: Reader,
  serverId: string,
  roleIds: readonly string[] | undefined,
): Promise<string[] | undefined> {
  if (!roleIds) return undefined;
  const unique = [...new Set(roleIds)];
  for (const roleId of unique) {
    const role = await load(db, 'role', roleId);
    if (role.serverId !== serverId) throw invalid('mismatch', 'roleIds', 'has a role of another server');
  }
  return unique;
}

type ChannelFields = Partial<Pick<RowOf<'channel'>, 'description' | 'private' | 'readonly' | 'position'>> &
  Pick<RowOf<'channel'>, 'name' | 'serverId' | 'creatorId' | 'roleIds'>;

/** Creates a channel, by default after the last one. Throws UniqueViolation if the name is taken. */
export async function addChannel({ db, emit, newRow }: Work, fields: ChannelFields) {
  const last = fields.position ?? (await db.first(nextPosition({ serverId: fields.serverId })))?.last;
  const row = {
    ...newRow(),
    description: null,
    private: false,
    readonly: false,
    ...fields,
    position: fields.position ?? (typeof last === 'number' ? Math.min(last + 1, 2_147_483_647) : 0),
    nameKey: nameKey(fields.name),
  };
  await db.run(insert('channel', row));
  await emit(channelEvents.created, toChannel(row));
  return toChannel(row);
}

/** Changes a channel. The event lists the viewers who may lose access. */
async function changeChannel(
  { db, emit, now }: Work,
  found: RowOf<'channel'>,
  fields: Partial<RowOf<'channel'>>,
) {
  if (!alters(found, fields)) return toChannel(found);
  const set = { ...fields, updatedAt: touched(found, now) };
  await db.run(update('channel', found.id, set));
  const changed = { ...found, ...set };
  await emit(channelEvents.updated, toChannel(changed), { lostBy: lostBy(found, changed) });
  return toChannel(changed);
}

/** The viewers before the change, if some of them may lose access; otherwise undefined. */
function lostBy(before: RowOf<'channel'>, after: RowOf<'channel'>): LostBy | undefined {
  const isNarrower =
    after.private && (!before.private || before.roleIds.some((roleId) => !after.roleIds.includes(roleId)));
  const { private: isPrivate, readonly, roleIds } = before;
  return isNarrower ? { channel: { private: isPrivate, readonly, roleIds } } : undefined;
}

/** Removes a deleted role from the `roleIds` of all channels. */
export async function removeRoleFromChannels(
  work: Work,
  { id: roleId, serverId }: { id: string; serverId: string },
) {
  const channels = q.selectFrom('channel').selectAll().where('serverId', '=', serverId).orderBy('id');
  for (const channel of await work.db.all(channels)) {
    if (!channel.roleIds.includes(roleId)) continue;
    await changeChannel(work, channel, { roleIds: channel.roleIds.filter((id) => id !== roleId) });
  }
}
