import type { Reader } from '../../db/contract.ts';
import { find, q, remove } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import type { Work } from '../../http/endpoint.ts';
import { isId } from '../../lib/deps.ts';
import { load } from '../../resources/common.ts';
import { defaultRole } from '../../resources/role.ts';
import { mintKey } from '../../resources/secret/mint.ts';
import { toSecret } from '../../resources/secret/record.ts';
import { isMember } from '../../resources/serverMember/join.ts';
import { CommandError } from '../commandError.ts';
import { flagsFrom, roleWith } from './flags.ts';
import { createMember } from './member.ts';
import { requireName } from './name.ts';

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

export async function listKeys(db: Reader, { server }: { server?: string }) {
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

/** Milliseconds of each unit. */
const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90d` in milliseconds. */
function durationOf(text: string): number {
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const duration = Number(amount) * (units[unit as string] ?? Number.NaN);
  if (!(duration > 0))
    throw new CommandError('--expires-in must be a number and a unit, such as 90d, 12h or 30m');
  return duration;
}
