import { api, PalaverError } from './index.ts';

interface Ids {
  userId: string;
  roleId: string;
}

/** The id by which somebody has a role; made anew if they have it not. No list has it: only a refusal to give the role again tells it. */
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

/** Gives a member a role; one that they have stays. Throws PalaverError. */
export async function giveRole(serverId: string, ids: Ids): Promise<void> {
  await grantOf(serverId, ids);
}

/** Takes a role from a member. Throws PalaverError. */
export async function takeRole(serverId: string, ids: Ids): Promise<void> {
  await api(serverId).userRoleDelete({ id: await grantOf(serverId, ids) });
}
