import type { TProperties } from 'typebox';
import { requireAdministrable, requireHolds } from '../access/grants.ts';
import { forbidden } from '../access/predicates.ts';
import { ruleText } from '../access/rules.ts';
import { ROWS_IN_WRITE, removeHanging } from '../db/removal.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { mark } from '../db/sweep.ts';
import { read, type Work, type WriteCall, write } from '../http/endpoint.ts';
import { body, flag, id, name, nullable, optional, record, reference, text } from '../http/fields.ts';
import { type Flag, flagColumns, flagMeanings, flagNames, flagsOf } from '../lib/flags.ts';
import { toChannel } from './channel.ts';
import { load, recordOf, sent, serverIdOf, touched } from './common.ts';
import { revokeKeys } from './secret/revoke.ts';
import { tellLoss } from './userRole.ts';
import { removeWebhooks } from './webhook/remove.ts';

const color = nullable(text({ min: 1, max: 32, description: 'A CSS colour', examples: ['#3366ff'] }));
const flagFields = Object.fromEntries(
  flagNames.map((name) => [name, flag(flagMeanings[name], name === 'canEditData' || name === 'canModerate')]),
) as Record<Flag, ReturnType<typeof flag>>;
const optionalFlags = Object.fromEntries(flagNames.map((name) => [name, optional(flagFields[name])])) as {
  [F in Flag]: ReturnType<typeof optionalFlag>;
};
const optionalFlag = () => optional(flag());

const role = record('Role', {
  serverId: id(),
  name: name(undefined, 'Moderators'),
  color,
  isDefault: flag('The role that every new member gets'),
  ...(flagFields as TProperties & typeof flagFields),
});
export const toRole = recordOf(role);

export const roleEndpoints = [
  read({
    operation: 'roleById',
    path: '/roles/:roleId',
    tag: 'role',
    summary: 'Role details',
    visible: 'member',
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.roleId),
    run: async (_call, _input, found) => toRole(await found),
  }),

  write({
    operation: 'roleInsert',
    method: 'POST',
    path: '/roles',
    resource: 'role',
    verb: 'insert',
    summary: 'Create a role',
    body: body({
      name: name(undefined, 'Moderators'),
      serverId: optional(reference()),
      color: optional(color),
      ...optionalFlags,
    }),
    examples: { Example: { name: 'Moderators', color: '#3366ff', canEditData: true, canModerate: true } },
    answer: role,
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    async run(call, { body }, { serverId }) {
      const flags = flagNames.filter((flag) => body[flag]);
      requireHolds(call.principal, ruleText('role', 'insert'), flags);
      return toRole(await addRole(call, { serverId, name: body.name, color: body.color ?? null, flags }));
    },
  }),

  write({
    operation: 'roleUpdate',
    method: 'PATCH',
    path: '/roles/:id',
    resource: 'role',
    verb: 'update',
    summary: 'Update a role',
    body: body({
      id: optional(reference()),
      name: optional(name(undefined, 'Moderators')),
      color: optional(color),
      ...optionalFlags,
    }),
    examples: { Example: { name: 'Stewards', canModerate: false } },
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.id),
    async run({ db, now, principal }, { body }, found) {
      requireHolds(
        principal,
        ruleText('role', 'update'),
        flagNames.filter((flag) => body[flag] !== undefined),
      );
      const set = { ...sent(body, 'name', 'color', ...flagNames), updatedAt: touched(found, now) };
      await db.run(update('role', found.id, set));
      if (found.canAdmin) await requireAdministrable(db, principal, found.serverId);
      return toRole({ ...found, ...set });
    },
  }),

  write({
    operation: 'roleDelete',
    method: 'DELETE',
    path: '/roles/:id',
    resource: 'role',
    verb: 'delete',
    summary: 'Delete a role; keys that have it are revoked',
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.id),
    async run(call, _input, found) {
      const { db, principal } = call;
      const { serverId } = found;
      if (found.isDefault || found.isCreatorRole) {
        const which = found.isDefault ? 'the default role' : "the creator's admin role";
        throw forbidden(principal, `role: ${which} cannot be deleted`, [], `${which} cannot be deleted`);
      }
      requireHolds(principal, ruleText('role', 'delete'), flagsOf(found));
      await revokeKeys(call, { roleId: found.id });
      await removeWebhooks(call, { roleId: found.id });
      await leaveChannels(call, found);
      await db.run(remove('role', { id: found.id }));
      if (found.canAdmin) await requireAdministrable(db, principal, serverId);
      await takeFromMembers(call, found);
      return toRole(found);
    },
  }),
];

/** Takes a role that is gone from its members: from those that a write takes no time for, later. */
async function takeFromMembers(call: WriteCall, { id, serverId }: RowOf<'role'>): Promise<void> {
  const { db, principal } = call;
  const removed = { userRole: (rows: RowOf<'userRole'>[]) => tellLoss(call, rows) };
  if (await removeHanging(db, 'role', id, ROWS_IN_WRITE, { removed })) return;
  await mark(db, { noun: 'role', id, serverId, channelId: null, actorId: principal.userId });
}

/** Takes a role out of the channels that it could see. */
async function leaveChannels({ db, emit, now }: Work, { id, serverId }: RowOf<'role'>): Promise<void> {
  const channels = q.selectFrom('channel').selectAll().where('serverId', '=', serverId).orderBy('id');
  for (const channel of await db.all(channels)) {
    if (!channel.roleIds.includes(id)) continue;
    const set = {
      roleIds: channel.roleIds.filter((roleId) => roleId !== id),
      updatedAt: touched(channel, now),
    };
    await db.run(update('channel', channel.id, set));
    const data = toChannel({ ...channel, ...set });
    await emit({ type: 'channel.updated', serverId, channelId: channel.id, data });
  }
}

interface NewRole {
  serverId: string;
  name: string;
  flags: readonly Flag[];
  color?: string | null;
  isDefault?: boolean;
  isCreatorRole?: boolean;
}

/** Makes a role with exactly these flags. */
export async function addRole(
  { db, newRow }: Pick<Work, 'db' | 'newRow'>,
  given: NewRole,
): Promise<RowOf<'role'>> {
  const { flags, ...fields } = given;
  const row = {
    ...newRow(),
    color: null,
    isDefault: false,
    isCreatorRole: false,
    ...fields,
    ...flagColumns(flags),
  };
  await db.run(insert('role', row));
  return row;
}

/** The role that new members of a server get. */
export const defaultRole = (db: Work['db'], serverId: string): Promise<RowOf<'role'> | undefined> =>
  db.first(find('role', { serverId, isDefault: true }));
