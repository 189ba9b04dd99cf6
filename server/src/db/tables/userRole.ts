import { ofServer, type Row, type Table } from './facts.ts';

/** Which members have which roles. */
interface UserRoleRow extends Row {
  serverId: string;
  userId: string;
  roleId: string;
}

export const userRole: Table<UserRoleRow> = {
  key: ['id'],
  decidesAuthority: true,
  goesWith: { ...ofServer, roleId: { table: 'role', by: 'sweep' } },
  unique: { 'userId,roleId': 'this user has the role already' },
};
