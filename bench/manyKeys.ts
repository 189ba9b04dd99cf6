import { createKey } from '../server/src/cli/records/key.ts';
import { createServer } from '../server/src/cli/records/server.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import type { Data } from '../server/src/node/data.ts';
import type { Work } from '../server/src/operations/work.ts';
import { change } from '../server/src/resources/change.ts';
import { addChannel } from '../server/src/resources/channel/change.ts';
import { addRole } from '../server/src/resources/role.ts';
import { mintKey } from '../server/src/resources/secret/mint.ts';
import { inBatches } from './made.ts';

/** The number of servers created per transaction. */
const BATCH_SERVERS = 20;

/** A server with keys for one role, and an admin's key. */
export interface Tenant {
  admin: string;
  roleId: string;
  channelId: string;
  keys: { id: string; key: string }[];
}

/** Creates servers with `each` keys per server. */
export async function makeTenants(data: Data, servers: number, each: number): Promise<Tenant[]> {
  const user = await change(data, (work) => createUser(work, { username: 'streams' }));
  return inBatches(data, { amount: servers, size: BATCH_SERVERS }, (work) => makeTenant(work, user.id, each));
}

async function makeTenant(work: Work, userId: string, each: number): Promise<Tenant> {
  const { id: serverId } = await createServer(work, { name: 'Bench', owner: userId });
  const { key: admin } = await createKey(work, { server: serverId, user: userId, flags: 'canAdmin' });
  const channel = { serverId, name: 'general', creatorId: userId, roleIds: [] };
  const { id: channelId } = await addChannel(work, channel);
  const { id: roleId } = await addRole(work, { serverId, name: 'Streams', flags: ['canEditData'] });
  const fields = { serverId, roleId, userId, name: 'stream', expiresAt: null, creatorId: userId };
  const keys: Tenant['keys'] = [];
  while (keys.length < each) {
    const { id, key } = await mintKey(work, { ...fields, maxAgeMs: Number.POSITIVE_INFINITY });
    keys.push({ id, key });
  }
  return { admin, roleId, channelId, keys };
}
