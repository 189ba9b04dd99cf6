import { requireAdministrable, requireHolds } from '../access/grants.ts';
import { ruleText } from '../access/rules.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { type Work, write } from '../http/endpoint.ts';
import { body, id, record, reference } from '../http/fields.ts';
import { flagsOf } from '../lib/flags.ts';
import { load, recordOf } from './common.ts';
import { tellRoles } from './serverMember/record.ts';

const userRole = record('UserRole', { serverId: id(), userId: id(), roleId: id() });
const toUserRole = recordOf(userRole);

export const userRoleEndpoints = [
  write({
    operation: 'userRoleInsert',
    conflict: true,
    method: 'POST',
    path: '/user-roles',
    resource: 'userRole',
    verb: 'insert',
    summary: 'Give a role to a member',
    body: body({ userId: reference(), roleId: reference() }),
    answer: userRole,
    async target({ db, principal }, { body }) {
      const role = await load(db, 'role', body.roleId);
      const user = await load(db, 'user', body.userId);
      const { serverId } = role;
      // Who belongs to another server is not for this key to know.
      const own = serverId === principal.serverId;
      if (own && !(await db.first(find('serverMember', { serverId, userId: user.id })))) {
        throw invalid('userId', 'is not a member of the server');
      }
      return { serverId, role, user };
    },
    async run(call, _input, { serverId, role, user }) {
      requireHolds(call.principal, ruleText('userRole', 'insert'), flagsOf(role));
      const given = await giveRole(call, { serverId, userId: user.id, roleId: role.id });
      await tellRoles(call, serverId, [user.id]);
      return given;
    },
  }),

  write({
    operation: 'userRoleDelete',
    method: 'DELETE',
    path: '/user-roles/:id',
    resource: 'userRole',
    verb: 'delete',
    summary: 'Take a role from a member',
    answer: userRole,
    async target({ db }, { params }) {
      const found = await load(db, 'userRole', params.id);
      const role = await db.first(find('role', { id: found.roleId }));
      // It has yet to be swept away.
      if (!role) throw notFound('user role');
      return { serverId: found.serverId, userRole: found, role };
    },
    async run(call, _input, { userRole: found, role }) {
      const { db, principal } = call;
      const { serverId, userId } = found;
      requireHolds(principal, ruleText('userRole', 'delete'), flagsOf(role));
      await db.run(remove('userRole', { id: found.id }));
      if (role.canAdmin) await requireAdministrable(db, principal, serverId);
      await tellRoles(call, serverId, [userId]);
      return toUserRole(found);
    },
  }),
];

/** The roles that a member has, oldest first. */
export async function rolesHeld(
  db: Reader,
  { serverId, userId }: Pick<RowOf<'userRole'>, 'serverId' | 'userId'>,
) {
  const rows = q
    .selectFrom('userRole')
    .selectAll()
    .where('serverId', '=', serverId)
    .where('userId', '=', userId);
  return (await db.all(rows.orderBy('id'))).map(toUserRole);
}

/** Tells that members have lost a role. */
export async function tellLoss(work: Work, rows: readonly RowOf<'userRole'>[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { serverId } = first;
  for (const row of rows) await work.emit({ type: 'userRole.deleted', serverId, data: toUserRole(row) });
  await tellRoles(
    work,
    serverId,
    rows.map(({ userId }) => userId),
  );
}

/** Gives a role to a member, and leaves it to the caller to tell of it. Throws `UniqueViolation` if it was given before. */
export async function giveRole(
  { db, newRow }: Pick<Work, 'db' | 'newRow'>,
  fields: { serverId: string; userId: string; roleId: string },
) {
  const row = { ...newRow(), ...fields };
  await db.run(insert('userRole', row));
  return toUserRole(row);
}
