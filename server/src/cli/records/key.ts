import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { defaultRole } from '../../resources/role.ts';
import { maxKeyAgeMs, mintKey } from '../../resources/secret/mint.ts';
import { revokeSecrets, secretsWithUse } from '../../resources/secret/revoke.ts';
import { MAX_OVERLAP_SECONDS, rotateKey } from '../../resources/secret/rotate.ts';
import { toSecret } from '../../resources/secret/secretRecord.ts';
import { isMember } from '../../resources/serverMember/join.ts';
import { CommandError } from '../commandError.ts';
import { flagsFrom, roleWith } from './flags.ts';
import { createMember } from './member.ts';
import { nameFrom } from './name.ts';

export async function createKey(
  work: Work,
  given: { server: string; user: string; flags?: string; role?: string; name?: string; expiresIn?: string },
  maxKeyDays = 0,
) {
  const { db, now } = work;
  const { id: serverId } = await load(db, 'server', given.server);
  const { id: userId, username } = await load(db, 'user', given.user);
  if (given.flags !== undefined && given.role !== undefined)
    throw new CommandError('use --flags or --role, not both');
  const name = nameFrom(given.name) ?? `Key of ${username}`;
  const expiresAt = given.expiresIn === undefined ? null : now + durationOf('--expires-in', given.expiresIn);
  const role =
    given.role !== undefined
      ? await load(db, 'role', given.role)
      : given.flags !== undefined
        ? await roleWith(work, serverId, flagsFrom(given.flags))
        : await defaultRole(db, serverId);
  if (!role || role.serverId !== serverId) throw new CommandError('the role belongs to another server');
  if (!(await isMember(db, serverId, userId))) await createMember(work, given);
  return mintKey(work, {
    serverId,
    userId,
    roleId: role.id,
    name,
    expiresAt,
    maxAgeMs: maxKeyAgeMs(maxKeyDays),
    creatorId: null,
  });
}

/** Rotates a key. Its previous value stays valid for `overlap`, such as `12h`. */
export async function rotateKeyFor(
  work: Work,
  keyId: string,
  given: { overlap?: string; expiresIn?: string },
  maxKeyDays: number,
) {
  const overlap = given.overlap === undefined ? undefined : durationOf('--overlap', given.overlap) / 1000;
  if (overlap !== undefined && overlap > MAX_OVERLAP_SECONDS)
    throw new CommandError(`--overlap must be at most ${MAX_OVERLAP_SECONDS / 86_400}d`);
  const expiresAt =
    given.expiresIn === undefined ? undefined : work.now + durationOf('--expires-in', given.expiresIn);
  const found = await findKey(work.db, keyId);
  return rotateKey(work, found, { overlap, expiresAt, maxAgeMs: maxKeyAgeMs(maxKeyDays) });
}

export async function revokeKey(work: Work, keyId: string) {
  await findKey(work.db, keyId);
  const [revoked] = await revokeSecrets(work, { id: keyId });
  return revoked as ReturnType<typeof toSecret>;
}

export async function listKeys(db: Reader, { server }: { server?: string }) {
  let rows = secretsWithUse.where('secret.kind', '=', 'apiKey');
  if (server !== undefined) rows = rows.where('secret.serverId', '=', (await load(db, 'server', server)).id);
  return (await db.all(rows)).map(toSecret);
}

async function findKey(db: Reader, keyId: string): Promise<RowOf<'secret'>> {
  const secret = isId(keyId) ? await db.first(find('secret', { id: keyId })) : undefined;
  if (secret?.kind !== 'apiKey') throw notFound('key');
  return secret;
}

/** Milliseconds per unit. */
const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses a duration such as `90d` to milliseconds. Only `--overlap` may be `0`. Throws CommandError. */
function durationOf(option: string, text: string): number {
  if (option === '--overlap' && text === '0') return 0;
  const [, amount, unit] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const duration = Number(amount) * (units[unit as string] ?? Number.NaN);
  if (!(duration > 0))
    throw new CommandError(`${option} must be a number and a unit, such as 90d, 12h or 30m`);
  return duration;
}
