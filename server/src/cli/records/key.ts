import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { defaultRole } from '../../resources/role.ts';
import { mintKey } from '../../resources/secret/mint.ts';
import { toSecret } from '../../resources/secret/record.ts';
import { revokeSecrets, secretsWithUse } from '../../resources/secret/revoke.ts';
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

export async function listKeys(db: Reader, { server }: { server?: string }) {
  let rows = secretsWithUse.where('secret.kind', '=', 'apiKey');
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
