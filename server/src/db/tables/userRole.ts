import { ofServer, type Row, type Table } from './facts.ts';

/** A role that a member has. */
interface UserRoleRow extends Row {
  serverId: string;
  userId: string;
  roleId: string;
}

export const userRole: Table<UserRoleRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  // An insert changes permissions, because a signed-in person acts with all of their roles.
  decidesAuthority: { of: 'serverId', byInsert: 'userId' },
  goesWith: { ...ofServer, roleId: { table: 'role', by: 'sweep' } },
  unique: { 'userId,roleId': 'this user already has the role' },
};
