import { type Flag, flagTable } from './rules.ts';
import { find } from './sources.ts';
import type { Json, World } from './world.ts';

/** The flags of one server's roles, members and keys, read from its rows. */
export interface Authority {
  roles: Map<string, Flag[]>;
  defaultRoleId: string;
  /** Each member's flags, combined from all of the member's roles. */
  members: Map<string, Set<Flag>>;
  /** Each key's user and flags. */
  keys: Map<string, { userId: string; flags: Set<Flag> }>;
  memberships: Json[];
  userRoles: Json[];
  invites: Json[];
}

export async function readAuthority({ data }: World, serverId: string): Promise<Authority> {
  const { read } = data.db;
  const roleRows = await read.all(find('role', { serverId }));
  const memberships = await read.all(find('serverMember', { serverId }));
  const userRoles = await read.all(find('userRole', { serverId }));
  const secrets = await read.all(find('secret', { serverId, kind: 'apiKey' }));
  const invites = await read.all(find('invite', { serverId }));

  const roles = new Map(roleRows.map((role) => [role.id, flagTable.filter((flag) => role[flag])]));
  const members = new Map(memberships.map(({ userId }) => [userId, new Set<Flag>()]));
  for (const { userId, roleId } of userRoles) {
    for (const flag of roles.get(roleId) ?? []) members.get(userId)?.add(flag);
  }
  const keys = new Map(
    secrets.map(({ id, userId, roleId }) => [
      id,
      { userId: userId as string, flags: new Set(roles.get(roleId as string) ?? []) },
    ]),
  );
  const defaultRoleId = roleRows.find(({ isDefault }) => isDefault)?.id as string;
  return { roles, defaultRoleId, members, keys, memberships, userRoles, invites };
}

/** The flags that a set of flags grants: canAdmin implies all others. */
export const effective = (flags: Iterable<Flag>): Set<Flag> => {
  const own = new Set(flags);
  return own.has('canAdmin') ? new Set(flagTable) : own;
};
