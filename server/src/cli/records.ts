import type { Reader } from '../db/contract.ts';
import { find, q, remove } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import type { Work } from '../http/endpoint.ts';
import { isId } from '../lib/deps.ts';
import { type Flag, flagNames, flagsOf } from '../lib/flags.ts';
import { load } from '../resources/common.ts';
import { addFlow } from '../resources/flow.ts';
import { addRole, defaultRole, toRole } from '../resources/role.ts';
import { mintKey } from '../resources/secret/mint.ts';
import { toSecret } from '../resources/secret/record.ts';
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
  const secret = await mintKey(work, {
    serverId,
    userId,
    roleId: role.id,
    name: given.name ?? `Key of ${username}`,
    expiresAt,
    creatorId: null,
  });
  const { key: _key, ...data } = secret;
  await work.emit({ type: 'secret.created', serverId, data });
  return secret;
}

export async function revokeKey(work: Work, keyId: string) {
  const secret = isId(keyId) ? await work.db.first(find('secret', { id: keyId })) : undefined;
  if (secret?.kind !== 'apiKey') throw notFound('key');
  const use = await work.db.first(find('keyUse', { id: keyId }));
  await work.db.run(remove('secret', { id: keyId }));
  const record = toSecret({ ...secret, lastUsedAt: use?.lastUsedAt ?? null });
  await work.emit({ type: 'secret.deleted', serverId: secret.serverId, data: record });
  return record;
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
  const flow = await addFlow(work, { serverId, name: given.name, trigger, steps, creatorId });
  await work.emit({ type: 'flow.created', serverId, data: flow });
  return flow;
}

export const listUsers = async (db: Reader) =>
  (await db.all(q.selectFrom('user').selectAll().orderBy('id'))).map(toUser);

export const listServers = async (db: Reader) =>
  (await db.all(q.selectFrom('server').selectAll().orderBy('id'))).map(toServer);

export async function listKeys(db: Reader, server: string | undefined) {
  let rows = q
    .selectFrom('secret')
    .leftJoin('keyUse', 'keyUse.id', 'secret.id')
    .selectAll('secret')
    .select('keyUse.lastUsedAt')
    .where('secret.kind', '=', 'apiKey')
    .orderBy('secret.id');
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
  const role = await addRole(work, { serverId, name, flags });
  await work.emit({ type: 'role.created', serverId, data: toRole(role) });
  return role;
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
