import { requireAdministrable, requireHoldsFlagsOf } from '../access/grants.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { body, id, record, reference } from '../operations/fields.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { load, recordOf } from './common.ts';
import { isMember } from './serverMember/join.ts';

const userRole = record('UserRole', { serverId: id(), userId: id(), roleId: id() });
const toUserRole = recordOf(userRole);

export const userRoleEvents = eventsOf(
  'userRole',
  { data: userRole, audience: 'member' },
  {
    created: 'A role was assigned to a member',
    deleted: 'A role was removed from a member or deleted, or the member left the server',
  },
);

/** A fact about a change to a member's roles that the consequences of its event need. */
export interface RoleChange {
  /** Whether another part of the change emits the member event with the new roles. */
  isMemberEmitted: boolean;
}

export const userRoleOperations = [
  write({
    operation: 'userRoleInsert',
    path: '/user-roles',
    resource: 'userRole',
    verb: 'insert',
    summary: 'Assign a role to a member',
    body: body({ userId: reference(), roleId: reference() }),
    answer: userRole,
    async existing({ db }, { body: { userId, roleId } }) {
      const found = await db.first(find('userRole', { userId, roleId }));
      return found && { id: found.id, serverId: found.serverId, visible: 'member' };
    },
    async target({ db, principal }, { body }) {
      const role = await load(db, 'role', body.roleId);
      const user = await load(db, 'user', body.userId);
      const { serverId } = role;
      // For another server, the error would reveal to this key who the members of that server are.
      const own = serverId === principal.serverId;
      if (own && !(await isMember(db, serverId, user.id))) {
        throw invalid('mismatch', 'userId', 'is not a member of the server');
      }
      return { serverId, role, user };
    },
    async run(call, _input, { serverId, role, user }) {
      requireHoldsFlagsOf(call.principal, 'userRole insert', role);
      return giveRole(call, { serverId, userId: user.id, roleId: role.id }, { isMemberEmitted: false });
    },
  }),

  write({
    operation: 'userRoleDelete',
    path: '/user-roles/:id',
    resource: 'userRole',
    verb: 'delete',
    summary: 'Remove a role from a member',
    answer: userRole,
    async target({ db }, { params }) {
      const found = await load(db, 'userRole', params.id);
      const role = await db.first(find('role', { id: found.roleId }));
      // The rows of a deleted role remain until they are swept.
      if (!role) throw notFound('user role');
      return { serverId: found.serverId, userRole: found, role };
    },
    async run({ db, emit, principal }, _input, { userRole: found, role }) {
      requireHoldsFlagsOf(principal, 'userRole delete', role);
      await db.run(remove('userRole', { id: found.id }));
      if (role.canAdmin) await requireAdministrable(db, principal, found.serverId);
      await emit(userRoleEvents.deleted, toUserRole(found));
      return toUserRole(found);
    },
  }),
];

/** Assigns a role to a member. Throws UniqueViolation if they already have it. */
export async function giveRole(
  { db, emit, newRow }: Work,
  fields: { serverId: string; userId: string; roleId: string },
  known: RoleChange,
) {
  const row = { ...newRow(), ...fields };
  await db.run(insert('userRole', row));
  await emit(userRoleEvents.created, toUserRole(row), { known });
  return toUserRole(row);
}

/** Removes all roles from a member. */
export async function takeRoles(
  { db, emit }: Work,
  member: Pick<RowOf<'userRole'>, 'serverId' | 'userId'>,
): Promise<void> {
  const { serverId, userId } = member;
  const ofServer = q.selectFrom('userRole').selectAll().where('serverId', '=', serverId);
  const rows = await db.all(ofServer.where('userId', '=', userId).orderBy('id'));
  await db.run(remove('userRole', { serverId, userId }));
  await emitRolesTaken({ emit }, rows);
}

/** Emits `userRole.deleted` for each row. The caller emits the members' events. */
export async function emitRolesTaken(
  { emit }: Pick<Work, 'emit'>,
  rows: readonly RowOf<'userRole'>[],
): Promise<void> {
  const known: RoleChange = { isMemberEmitted: true };
  for (const row of rows) await emit(userRoleEvents.deleted, toUserRole(row), { known });
}
