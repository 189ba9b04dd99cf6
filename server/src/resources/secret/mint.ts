import { newApiKey, previewOf } from '../../access/credentials/apiKey.ts';
import { digestOf } from '../../access/credentials/token.ts';
import { insert } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addMember } from '../serverMember/join.ts';
import { addUser } from '../user.ts';
import { secretEvents, toSecret } from './record.ts';

interface NewKey {
  serverId: string;
  name: string;
  roleId: string;
  userId: string;
  /** Milliseconds since the Unix epoch; null if it never expires. */
  expiresAt: number | null;
  creatorId: string | null;
}

/** Makes an API key. Only its digest is stored: `key` in the result is the only copy. */
export async function mintKey({ db, emit, newRow, randomBytes }: Work, fields: NewKey) {
  const key = newApiKey(randomBytes);
  const row = {
    ...newRow(),
    ...fields,
    kind: 'apiKey' as const,
    appId: null,
    preview: previewOf(key),
    digest: digestOf(key),
    sealed: null,
  };
  await db.run(insert('secret', row));
  await emit(secretEvents.created, toSecret(row));
  return { ...toSecret(row), key };
}

/** Makes an agent of the actor's, for a key or a webhook, with this server as its home. Returns its user id. */
export async function addAgent(
  work: Work,
  { name, serverId }: { name: string; serverId: string },
): Promise<string> {
  const agent = await addUser(work, {
    username: agentName(name, work),
    name,
    type: 'agent',
    platformAdmin: false,
    homeServerId: serverId,
    creatorId: work.actorId,
  });
  await addMember(work, { serverId, user: agent });
  return agent.id;
}

/** A username made from a name, with random digits at its end so that it is free. */
function agentName(name: string, { randomBytes }: Work): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20);
  return `${readable || 'agent'}-${Buffer.from(randomBytes(4)).toString('hex')}`;
}
