import { newApiKey, previewOf } from '../../access/credentials/apiKey.ts';
import { digestOf } from '../../access/credentials/token.ts';
import { insert } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addMember } from '../serverMember/join.ts';
import { addUser } from '../user.ts';
import { secretEvents, toSecret } from './secretRecord.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Converts the setting `maxKeyDays` to milliseconds; Infinity for 0. */
export const maxKeyAgeMs = (days: number): number => (days === 0 ? Number.POSITIVE_INFINITY : days * DAY_MS);

/** Returns the earliest of these times; null if all of them are null or Infinity. */
export function earliest(...times: (number | null)[]): number | null {
  const first = Math.min(...times.map((time) => time ?? Number.POSITIVE_INFINITY));
  return first === Number.POSITIVE_INFINITY ? null : first;
}

interface NewKey {
  serverId: string;
  name: string;
  roleId: string;
  userId: string;
  /** When the key expires, in milliseconds since the Unix epoch; null if it never expires. */
  expiresAt: number | null;
  /** Age in ms at which the value expires. The key's `expiresAt` is never later than that. */
  maxAgeMs: number;
  creatorId: string | null;
}

/** The columns for a secret without a previous value. */
export const noEarlier = { earlierDigest: null, earlierPreview: null, earlierUntil: null } as const;

/** Creates an API key. Only its digest is stored: the returned `key` is the only copy. */
export async function mintKey({ db, emit, newRow, randomBytes }: Work, { maxAgeMs, ...fields }: NewKey) {
  const key = newApiKey(randomBytes);
  const made = newRow();
  const row = {
    ...made,
    ...fields,
    expiresAt: earliest(fields.expiresAt, made.createdAt + maxAgeMs),
    kind: 'apiKey' as const,
    appId: null,
    preview: previewOf(key),
    digest: digestOf(key),
    ...noEarlier,
    sealed: null,
    hosts: null,
  };
  await db.run(insert('secret', row));
  await emit(secretEvents.created, toSecret(row));
  return { ...toSecret(row), key };
}

/**
 * Creates an agent that belongs to the actor, for a key, a webhook or a flow. The server becomes its home.
 * Returns the agent's user id.
 */
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

/** Derives a username from a name, with a random suffix to make it unique. */
function agentName(name: string, { randomBytes }: Work): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 20);
  // Usernames that begin with `deleted-` are reserved for erased users.
  const stem = readable === '' || /^deleted(?:-|$)/.test(readable) ? 'agent' : readable;
  return `${stem}-${Buffer.from(randomBytes(4)).toString('hex')}`;
}
