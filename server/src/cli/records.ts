import type { Reader } from '../db/contract.ts';
import { find, q } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import { isId } from '../lib/deps.ts';
import { type Flag, flagNames, flagsOf } from '../lib/flags.ts';
import type { Work } from '../operations/work.ts';
import { load } from '../resources/common.ts';
import { addFlow } from '../resources/flow.ts';
import { addRole, defaultRole } from '../resources/role.ts';
import { mintKey } from '../resources/secret/mint.ts';
import { toSecret } from '../resources/secret/record.ts';
import { revokeSecrets, secretsWithUse } from '../resources/secret/revoke.ts';
import { addServer } from '../resources/server/index.ts';
import { toServer } from '../resources/server/record.ts';
import { addMember, isMember } from '../resources/serverMember/join.ts';
import { toMember } from '../resources/serverMember/record.ts';
import { addUser, toUser, usernameProblem } from '../resources/user.ts';

/** A command that cannot be carried out; its message is the one line that the operator reads. */
export class CommandError extends Error {}

export async function createUser(
  work: Work,
  given: { username: string; name?: string; agent?: boolean; platformAdmin?: boolean },
) {
  const username = given.username.toLowerCase();
  const problem = usernameProblem(username) ?? nameProblem('name', given.name);
  if (problem) throw new CommandError(problem);
  const fields = {
    username,
    name: given.name ?? given.username,
    type: given.agent ? ('agent' as const) : ('person' as const),
    platformAdmin: given.platformAdmin ?? false,
  };
  return toUser(await addUser(work, fields));
}

export async function createServer(work: Work, given: { name: string; owner: string }) {
  requireName(given.name);
  return addServer(work, { name: given.name, creator: await load(work.db, 'user', given.owner) });
}

export async function createMember(work: Work, given: { server: string; user: string }) {
  const { id: serverId } = await load(work.db, 'server', given.server);
  const user = await load(work.db, 'user', given.user);
  return toMember(await addMember(work, { serverId, user }));
}

export async function createKey(
  work: Work,
  given: { server: string; user: string; flags?: string; role?: string; name?: string; expiresIn?: string },
) {
  const { db, now } = work;
  const { id: serverId } = await load(db, 'server', given.server);
  const { id: userId, username } = await load(db, 'user', given.user);
  if (given.flags !== undefined && given.role !== undefined)
    throw new CommandError('give --flags or --role, not both');
  requireName(given.name);
  const expiresAt = given.expiresIn === undefined ? null : now + durationOf(given.expiresIn);
  const role =
    given.role !== undefined
      ? await load(db, 'role', given.role)
      : given.flags !== undefined
        ? await roleWith(work, serverId, flagsFrom(given.flags))
        : await defaultRole(db, serverId);
  if (!role || role.serverId !== serverId) throw new CommandError('the role is of another server');
  if (!(await isMember(db, serverId, userId))) await createMember(work, given);
  return mintKey(work, {
    serverId,
    userId,
    roleId: role.id,
    name: given.name ?? `Key of ${username}`,
    expiresAt,
    creatorId: null,
  });
}

export async function revokeKey(work: Work, keyId: string) {
  const secret = isId(keyId) ? await work.db.first(find('secret', { id: keyId })) : undefined;
  if (secret?.kind !== 'apiKey') throw notFound('key');
  const [revoked] = await revokeSecrets(work, { id: keyId });
  return revoked as ReturnType<typeof toSecret>;
}

export async function createFlow(
  work: Work,
  given: { server: string; name: string; trigger: string; steps: string },
) {
  const { id: serverId, creatorId } = await load(work.db, 'server', given.server);
  requireName(given.name);
  const trigger = jsonFrom('--trigger', given.trigger);
  const steps = jsonFrom('--steps', given.steps);
  if (!Array.isArray(steps)) throw new CommandError('--steps must be a JSON list');
  return addFlow(work, { serverId, name: given.name, trigger, steps, creatorId });
}

export const listUsers = async (db: Reader) =>
  (await db.all(q.selectFrom('user').selectAll().orderBy('id'))).map(toUser);

export const listServers = async (db: Reader) =>
  (await db.all(q.selectFrom('server').selectAll().orderBy('id'))).map(toServer);

export async function listKeys(db: Reader, server: string | undefined) {
  let rows = secretsWithUse.where('secret.kind', '=', 'apiKey');
  if (server !== undefined) rows = rows.where('secret.serverId', '=', (await load(db, 'server', server)).id);
  return (await db.all(rows)).map(toSecret);
}

/** Finds the role with exactly these flags, or makes it. */
async function roleWith(work: Work, serverId: string, flags: Flag[]) {
  const roles = await work.db.all(find('role', { serverId }));
  const same = roles.find((role) => {
    const has = flagsOf(role);
    return has.length === flags.length && flags.every((flag) => has.includes(flag));
  });
  if (same) return same;
  const name = flags.join(', ').slice(0, 100) || 'No flags';
  return addRole(work, { serverId, name, flags });
}

function flagsFrom(text: string): Flag[] {
  const flags = [
    ...new Set(
      text
        .split(',')
        .map((flag) => flag.trim())
        .filter(Boolean),
    ),
  ];
  const unknown = flags.find((flag) => !flagNames.includes(flag as Flag));
  if (unknown) throw new CommandError(`there is no flag ${unknown}; the flags are ${flagNames.join(', ')}`);
  return flags as Flag[];
}

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d` in milliseconds. */
function durationOf(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const duration = Number(amount) * (units[unit as string] ?? Number.NaN);
  if (!(duration > 0))
    throw new CommandError('--expires-in must be a number and a unit, such as 90d, 12h or 30m');
  return duration;
}

function jsonFrom(option: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${option} must be JSON`);
  }
}

const nameProblem = (what: string, name: string | undefined): string | undefined =>
  name !== undefined && (name.trim() === '' || [...name].length > 100)
    ? `${what}: must have 1 to 100 characters`
    : undefined;

function requireName(name: string | undefined): void {
  const problem = nameProblem('name', name);
  if (problem) throw new CommandError(problem);
}
