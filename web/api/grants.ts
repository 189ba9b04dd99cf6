import { api, PalaverError } from './index.ts';

interface Ids {
  userId: string;
  roleId: string;
}

/**
 * The id of a member's role assignment, which is created if it is missing. No list contains the id, so
 * this assigns the role again and reads the id from the ALREADY_EXISTS error.
 */
async function grantOf(serverId: string, ids: Ids): Promise<string> {
  try {
    return (await api(serverId).userRoleInsert(ids)).id;
  } catch (error) {
    const known =
      error instanceof PalaverError && error.code === 'ALREADY_EXISTS' ? error.details : undefined;
    const { id } = (known ?? {}) as { id?: string };
    if (id === undefined) throw error;
    return id;
  }
}

/** Assigns a role to a member. Does nothing if the member already has it. Throws PalaverError. */
export async function giveRole(serverId: string, ids: Ids): Promise<void> {
  await grantOf(serverId, ids);
}

/** Revokes a role from a member. Throws PalaverError. */
export async function takeRole(serverId: string, ids: Ids): Promise<void> {
  await api(serverId).userRoleDelete({ id: await grantOf(serverId, ids) });
}
