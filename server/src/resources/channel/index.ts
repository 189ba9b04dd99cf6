import { isListed, whereChannelVisible } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q, remove } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import { invalid } from '../../errors.ts';
import { nameKey } from '../../lib/names.ts';
import { Type } from '../../lib/schema.ts';
import { sampleId } from '../../operations/examples.ts';
import type { Existing } from '../../operations/existing.ts';
import { body, nullable, optional, reference, webUrl } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { aheadInServer, load, sent, serverIdOf, serverTarget } from '../common.ts';
import { listByPosition } from '../lists.ts';
import { requireReachable } from '../reachable.ts';
import { requireRetention } from '../retention.ts';
import { callOperations } from './call.ts';
import { addChannel, changeChannel } from './change.ts';
import { channel, channelEvents, fields, toChannel } from './channelRecord.ts';
import { channelTarget } from './load.ts';

const changes = {
  description: optional(fields.description),
  private: optional(fields.private),
  readonly: optional(fields.readonly),
  slowSeconds: optional(fields.slowSeconds),
  retentionDays: optional(fields.retentionDays),
  position: optional(fields.position),
  categoryId: optional(nullable(reference('The category that the channel is listed under'))),
  roleIds: optional(Type.Array(reference(), { maxItems: 100 })),
};

export const channelOperations = [
  ...callOperations,

  read({
    operation: 'channelsByServer',
    path: '/servers/:serverId/channels',
    tag: 'channel',
    summary: "List a server's channels",
    description: 'Returns only channels that the key can see, sorted by position.',
    visible: 'member',
    answer: channel,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db, principal }, input) {
      const rows = q
        .selectFrom('channel')
        .selectAll()
        .where('serverId', '=', input.params.serverId)
        .where(isListed)
        .where(whereChannelVisible(principal));
      return listByPosition(db, rows, input, toChannel);
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
      await requireCategoryIn(call.db, serverId, body.categoryId);
      return { serverId, roleIds: await rolesOf(call.db, serverId, body.roleIds) };
    },
    run(call, { body }, { serverId, roleIds }) {
      requireRetention(call.principal, { retentionDays: null }, body);
      return addChannel(call, {
        ...sent(
          body,
          'description',
          'private',
          'readonly',
          'slowSeconds',
          'retentionDays',
          'position',
          'categoryId',
        ),
        name: body.name,
        serverId,
        roleIds: roleIds ?? [],
        creatorId: call.principal.userId,
      });
    },
  }),

  write({
    operation: 'channelUpdate',
    path: '/channels/:id',
    resource: 'channel',
    verb: 'update',
    summary: 'Update a channel',
    description: 'Members of a direct message can change its `name` and `image`.',
    body: body({
      id: optional(reference()),
      name: optional(fields.name),
      image: optional(nullable(webUrl('The picture of a direct message; only for direct messages'))),
      ...changes,
    }),
    examples: { Example: { name: 'announcements', readonly: true } },
    answer: channel,
    async existing({ db }, { params, body: { name = '' } }) {
      return channelNamed(db, (await channelTarget(db, params.id)).serverId, name);
    },
    async target({ db }, { params, body }) {
      const target = await channelTarget(db, params.id);
      await requireCategoryIn(db, target.serverId, body.categoryId);
      return { ...target, roleIds: await rolesOf(db, target.serverId, body.roleIds) };
    },
    async run(call, { body }, { channel: found, roleIds }) {
      requireFieldsOf(found, body);
      requireRetention(call.principal, found, body);
      await requireReachable(call.db, call.principal, found);
      if (found.memberIds) return changeChannel(call, found, sent(body, 'name', 'image'));
      return changeChannel(call, found, {
        ...sent(
          body,
          'name',
          'description',
          'private',
          'readonly',
          'slowSeconds',
          'retentionDays',
          'position',
          'categoryId',
        ),
        ...(body.name !== undefined && { nameKey: nameKey(body.name) }),
        ...(roleIds && { roleIds }),
      });
    },
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
      // The channel may have millions of messages. They are hidden immediately, and a background job deletes
      // them in small writes.
      const { id, serverId } = found;
      await mark(db, { noun: 'channel', id, serverId, channelId: null, actorId, actor });
      return toChannel(found);
    },
  }),
];

/** Throws INVALID_REQUEST for a field that this kind of channel does not have. */
function requireFieldsOf({ memberIds }: RowOf<'channel'>, body: object): void {
  const wrong = Object.keys(body).find((name) => (memberIds ? name in changes : name === 'image'));
  if (wrong === undefined) return;
  const message = memberIds ? 'cannot be set in a direct message' : 'can only be set in a direct message';
  throw invalid('wrong_kind', wrong, message);
}

/** Finds the channel that already has this name. */
async function channelNamed(db: Reader, serverId: string, name: string): Promise<Existing | undefined> {
  const channel = await db.first(find('channel', { serverId, nameKey: nameKey(name) }));
  return channel && { id: channel.id, serverId, channel, visible: 'channel' };
}

/** Throws NOT_FOUND, or INVALID_REQUEST for a category of another server. */
async function requireCategoryIn(
  db: Reader,
  serverId: string,
  categoryId: string | null | undefined,
): Promise<void> {
  if (categoryId == null) return;
  const category = await load(db, 'category', categoryId);
  if (category.serverId !== serverId)
    throw invalid('mismatch', 'categoryId', 'is a category of another server');
}

/**
 * Returns the `roleIds` of a channel without duplicates. Throws NOT_FOUND, or INVALID_REQUEST for a role in
 * another server.
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
    if (role.serverId !== serverId) throw invalid('mismatch', 'roleIds', 'contains a role of another server');
  }
  return unique;
}
