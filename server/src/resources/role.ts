import type { TProperties } from 'typebox';
import { conditions, requireCondition } from '../access/conditions.ts';
import { requireAdministrable, requireHoldsFlagsOf } from '../access/grants.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { type Flag, flagColumns, flagMeanings, flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { requireProven } from '../operations/call.ts';
import { body, flag, id, name, nullable, optional, record, reference, text } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, alters, load, recordOf, sent, serverIdOf, serverTarget, touched } from './common.ts';
import { listById } from './lists.ts';
import { sharedPart } from './snapshotPart.ts';

const color = nullable(text({ min: 1, max: 32, description: 'A CSS color', examples: ['#3366ff'] }));
const mentionable = flag(
  'Whether everyone can mention the role with @ and its name. A mention notifies the members with the role',
  false,
);
const flagFields = Object.fromEntries(
  flagNames.map((name) => [name, flag(flagMeanings[name], name === 'canEditData' || name === 'canModerate')]),
) as Record<Flag, ReturnType<typeof flag>>;
const optionalFlags = Object.fromEntries(flagNames.map((name) => [name, optional(flagFields[name])])) as {
  [F in Flag]: ReturnType<typeof optionalFlag>;
};
const optionalFlag = () => optional(flag());

export const role = record('Role', {
  serverId: id(),
  name: name(undefined, 'Moderators'),
  color,
  isDefault: flag('Whether every new member gets this role'),
  mentionable,
  ...(flagFields as TProperties & typeof flagFields),
});
export const toRole = recordOf(role);

export const roleEvents = eventsOf(
  'role',
  { data: role, audience: 'member' },
  { created: 'A role was created', updated: 'A role was updated', deleted: 'A role was deleted' },
);

/** The roles in a snapshot. */
export const rolesPart = sharedPart({
  schema: Type.Array(role, { description: 'All roles of the server' }),
  read: ({ roles }) => roles.map(toRole),
});

export const roleOperations = [
  read({
    operation: 'rolesByServer',
    path: '/servers/:serverId/roles',
    tag: 'role',
    summary: "List a server's roles",
    visible: 'member',
    answer: role,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = q.selectFrom('role').selectAll().where('serverId', '=', input.params.serverId);
      return listById(db, rows, input, toRole);
    },
  }),

  read({
    operation: 'roleById',
    path: '/roles/:roleId',
    tag: 'role',
    summary: 'Get a role',
    visible: 'member',
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.roleId),
    run: async (_call, _input, found) => toRole(await found),
  }),

  write({
    operation: 'roleInsert',
    path: '/roles',
    resource: 'role',
    verb: 'insert',
    summary: 'Create a role',
    body: body({
      name: name(undefined, 'Moderators'),
      serverId: optional(reference()),
      color: optional(color),
      mentionable: optional(mentionable),
      ...optionalFlags,
    }),
    examples: { Example: { name: 'Moderators', color: '#3366ff', canEditData: true, canModerate: true } },
    answer: role,
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    async run(call, { body }, { serverId }) {
      const flags = flagNames.filter((flag) => body[flag]);
      requireCondition(call.principal, conditions.holdsFlags, { flags, operation: 'role insert' });
      const { name, color = null, mentionable = false } = body;
      return toRole(await addRole(call, { serverId, name, color, mentionable, flags }));
    },
  }),

  write({
    operation: 'roleUpdate',
    path: '/roles/:id',
    resource: 'role',
    verb: 'update',
    summary: 'Update a role',
    body: body({
      id: optional(reference()),
      name: optional(name(undefined, 'Moderators')),
      color: optional(color),
      mentionable: optional(mentionable),
      ...optionalFlags,
    }),
    examples: { Example: { name: 'Stewards', canModerate: false } },
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.id),
    async run(call, { body }, found) {
      const { db, emit, now, principal } = call;
      const flags = flagNames.filter((flag) => body[flag] !== undefined);
      requireCondition(principal, conditions.holdsFlags, { flags, operation: 'role update' });
      // Existing keys with this role would also get `canAdmin`.
      if (body.canAdmin && !found.canAdmin) requireProven(call);
      const fields = sent(body, 'name', 'color', 'mentionable', ...flagNames);
      if (!alters(found, fields)) return toRole(found);
      const set = { ...fields, updatedAt: touched(found, now) };
      await db.run(update('role', found.id, set));
      if (found.canAdmin) await requireAdministrable(db, principal, found.serverId);
      const changed = toRole({ ...found, ...set });
      const isLess = found.canAdmin && !changed.canAdmin;
      await emit(roleEvents.updated, changed, { lostBy: isLess ? { roleId: found.id } : undefined });
      return changed;
    },
  }),

  write({
    operation: 'roleDelete',
    path: '/roles/:id',
    resource: 'role',
    verb: 'delete',
    summary: 'Delete a role and revoke its keys',
    description: 'Also deletes its webhooks and turns off its flows.',
    answer: role,
    target: ({ db }, { params }) => load(db, 'role', params.id),
    async run({ db, emit, principal }, _input, found) {
      requireCondition(principal, conditions.lastingRole, found);
      requireHoldsFlagsOf(principal, 'role delete', found);
      await emit(roleEvents.deleted, toRole(found));
      await db.run(remove('role', { id: found.id }));
      if (found.canAdmin) await requireAdministrable(db, principal, found.serverId);
      return toRole(found);
    },
  }),
];

interface NewRole {
  serverId: string;
  name: string;
  flags: readonly Flag[];
  color?: string | null;
  mentionable?: boolean;
  isDefault?: boolean;
  isCreatorRole?: boolean;
}

/** Creates a role with the given flags. */
export async function addRole({ db, emit, newRow }: Work, given: NewRole): Promise<RowOf<'role'>> {
  const { flags, ...fields } = given;
  const row = {
    ...newRow(),
    color: null,
    mentionable: false,
    isDefault: false,
    isCreatorRole: false,
    ...fields,
    ...flagColumns(flags),
  };
  await db.run(insert('role', row));
  await emit(roleEvents.created, toRole(row));
  return row;
}

/** Returns the server's default role for new members. */
export const defaultRole = (db: Work['db'], serverId: string): Promise<RowOf<'role'> | undefined> =>
  db.first(find('role', { serverId, isDefault: true }));
