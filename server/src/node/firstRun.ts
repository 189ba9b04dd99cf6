import { addLink } from '../accounts/link.ts';
import { UniqueViolation } from '../db/contract.ts';
import { find, q } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';
import { change } from '../resources/change.ts';
import { addChannel } from '../resources/channel/change.ts';
import { maxKeyAgeMs, mintKey } from '../resources/secret/mint.ts';
import { addServer } from '../resources/server/index.ts';
import { addUser } from '../resources/user.ts';
import type { Data } from './data.ts';

/** The data that the operator needs to send a first message and to sign in. */
export interface FirstRun {
  key: string;
  channelId: string;
  /** The token of a link to claim the admin's account. */
  link: string;
}

const anyUser = q.selectFrom('user').select('id').limit(1);

/**
 * Creates an admin, a server, a channel and a key in new data. The key expires after `maxKeyDays`
 * days, unless that is 0. Returns undefined if a user already exists.
 */
export async function firstRun(data: Data, maxKeyDays: number): Promise<FirstRun | undefined> {
  if (await data.db.read.first(anyUser)) return undefined;
  const made = change(data, async (work) =>
    (await work.db.first(anyUser)) ? undefined : make(work, maxKeyDays),
  );
  return made.catch((error) => {
    // Another node that started at the same time created them first.
    if (error instanceof UniqueViolation) return undefined;
    throw error;
  });
}

async function make(work: Work, maxKeyDays: number): Promise<FirstRun> {
  const admin = await addUser(work, {
    username: 'admin',
    name: 'Admin',
    type: 'person',
    platformAdmin: true,
  });
  const { id: serverId } = await addServer(work, { name: 'Palaver', creator: admin });
  const general = await addChannel(work, { serverId, name: 'general', creatorId: admin.id, roleIds: [] });
  const role = await work.db.first(find('role', { serverId, isCreatorRole: true }));
  const { key } = await mintKey(work, {
    serverId,
    name: 'First key',
    roleId: role?.id as string,
    userId: admin.id,
    expiresAt: null,
    maxAgeMs: maxKeyAgeMs(maxKeyDays),
    creatorId: admin.id,
  });
  const { token: link } = await addLink(work, { purpose: 'claim', userId: admin.id, email: null });
  return { key, channelId: general.id, link };
}
