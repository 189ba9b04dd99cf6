import { digestOf, newApiKey, previewOf } from '../../access/apiKey.ts';
import { insert } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { addMember } from '../serverMember/join.ts';
import { addUser } from '../user.ts';
import { toSecret } from './record.ts';

interface NewKey {
  serverId: string;
  name: string;
  roleId: string;
  userId: string;
  /** Milliseconds; null for never. */
  expiresAt: number | null;
  creatorId: string | null;
}

/** Makes an API key. What is stored is its digest; `key` is in what this gives and nowhere else. */
export async function mintKey({ db, newRow, randomBytes }: Work, fields: NewKey) {
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
  return { ...toSecret(row), key };
}

/** Makes the agent that a key acts as, and a member of the key's server. */
export async function addAgent(
  work: Work,
  { name, serverId }: { name: string; serverId: string },
): Promise<string> {
  const agent = await addUser(work, {
    username: agentName(name, work),
    name,
    type: 'agent',
    platformAdmin: false,
  });
  await addMember(work, { serverId, user: agent });
  return agent.id;
}

/** A username from a key's name, with random letters behind it so that it is free. */
function agentName(name: string, { randomBytes }: Work): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20);
  return `${readable || 'agent'}-${Buffer.from(randomBytes(4)).toString('hex')}`;
}
