import type { Caller, Flag, Identity } from './rules.ts';
import { flagTable, identities } from './rules.ts';
import type { Client, Json, World } from './world.ts';

export interface Role extends Caller {
  client: Client;
}

/**
 * Two servers, with a key for every combination of an identity and a flag, and one for each identity without
 * flags. The keys of the identities `… elsewhere` belong to the second server.
 */
export interface Cast {
  world: World;
  home: Json;
  other: Json;
  /** The server creator's key, with canAdmin. It prepares the scene. */
  admin: Client;
  /** The key of the rows' owner, with canAdmin. It creates the owner's rows. */
  author: Client;
  owner: Json;
  roles: Role[];
  /** The roles in `home` that the keys have. */
  roleIds: string[];
}

/** The empty set, and a set for each single flag. */
export const flagSets: readonly (readonly Flag[])[] = [[], ...flagTable.map((flag) => [flag])];

export async function assemble(world: World): Promise<Cast> {
  const creator = await world.user();
  const home = await world.server(creator);
  const other = await world.server(await world.user());
  const owner = await world.user();
  const users: Record<string, Json> = {
    creator,
    owner,
    stranger: await world.user(),
    agent: await world.user({ agent: true }),
  };
  const roles: Role[] = [];
  for (const identity of identities) {
    const [who, elsewhere] = identity.split(' ') as [string, string | undefined];
    for (const flags of flagSets) {
      const client = await world.client(elsewhere ? other : home, flags, users[who]);
      roles.push({ identity, flags, client });
    }
  }
  const clientOf = (identity: Identity, flag: Flag): Client =>
    (roles.find((role) => role.identity === identity && role.flags[0] === flag) as Role).client;
  const roleIds = roles
    .filter(({ identity }) => identity === 'stranger')
    .map(({ client }) => client.secret.roleId as string);
  const admin = clientOf('creator', 'canAdmin');
  return { world, home, other, admin, author: clientOf('owner', 'canAdmin'), owner, roles, roleIds };
}
