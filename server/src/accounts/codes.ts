import { unauthenticated } from '../access/authenticator.ts';
import { digestOf } from '../access/credentials/token.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import type { WriteCall } from '../operations/call.ts';
import type { Work } from '../operations/work.ts';
import { clientOf, recordFailures } from './history/record.ts';
import { base32, isTotpCode, stepOf } from './totp.ts';

/**
 * After this many consecutive wrong codes, codes are rejected for `LOCK_MS`. That is too few attempts to
 * guess a code.
 */
const MAX_FAILURES = 10;
const LOCK_MS = 15 * 60_000;

const RECOVERY_CODES = 10;
/**
 * Bytes of a recovery code. These 120 bits are more than OWASP ASVS 5.0 (6.5.2) requires of codes that are
 * stored with a fast hash.
 */
const RECOVERY_BYTES = 15;

/** Identifies the database cell of a person's TOTP secret. `Seal` binds the secret to it. */
export const cellOf = (id: string) => ({ table: 'secondFactor', column: 'sealed', id });

/** Creates an error whose `details.need` asks the client for a code. */
const needed = (message: string): ApiError =>
  new ApiError('UNAUTHORIZED', message, { need: 'code' }, { 'www-authenticate': 'Bearer' });

/**
 * Checks the two-factor code of a person. Returns the error, or undefined if the code is right or none is
 * required. Throw the error only after the commit: a rollback would undo the count of wrong codes. A browser
 * that has signed in to the account before is not locked out by others' wrong codes. `countAttempt` limits
 * its attempts.
 */
export async function codeProblem(
  { db, now, services, newRow, from }: Pick<WriteCall, 'db' | 'now' | 'services' | 'newRow' | 'from'>,
  userId: string,
  code: string | undefined,
  isKnown = false,
): Promise<ApiError | undefined> {
  const factor = await db.first(find('secondFactor', { id: userId }));
  if (!factor || factor.confirmedAt === null) return undefined;
  if (factor.lockedUntil > now && !isKnown) {
    const seconds = String(Math.ceil((factor.lockedUntil - now) / 1000));
    const message = `too many wrong codes. Try again in ${seconds} s`;
    return new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': seconds });
  }
  if (code === undefined) return needed('enter a code from your authenticator app, or a recovery code');
  const isRight = isTotpCode(code)
    ? await takesStep({ db, now, services }, factor, code)
    : (await db.count(remove('recoveryCode', { userId, digest: digestOf(plainly(code)) }))) === 1;
  if (isRight) {
    await db.run(update('secondFactor', userId, { failures: 0 }));
    return undefined;
  }
  const failure = { userId, type: 'codeFailed', ...clientOf(from), count: 1 } as const;
  await recordFailures({ db, now, newRow }, failure);
  const wrong = needed('the code is wrong or was already used');
  if (isKnown) return wrong;
  const isLocked = factor.failures + 1 >= MAX_FAILURES;
  const set = isLocked ? { failures: 0, lockedUntil: now + LOCK_MS } : { failures: factor.failures + 1 };
  await db.run(update('secondFactor', userId, set));
  return wrong;
}

/** Whether the code is an unused one from the authenticator app. Marks it as used for all nodes. */
async function takesStep(
  { db, now, services }: Pick<WriteCall, 'db' | 'now' | 'services'>,
  { id, sealed }: RowOf<'secondFactor'>,
  code: string,
): Promise<boolean> {
  const step = stepOf(services.seal.open(sealed, cellOf(id)), code, now);
  if (step === undefined) return false;
  const taken = q
    .updateTable('secondFactor')
    .set({ lastStep: step })
    .where('id', '=', id)
    .where('lastStep', '<', step);
  return (await db.count(taken)) === 1;
}

/** Confirms an authenticator app with its first code. Throws UNAUTHORIZED if the code is wrong. */
export async function confirm(
  { db, now, services }: Pick<WriteCall, 'db' | 'now' | 'services'>,
  factor: RowOf<'secondFactor'>,
  code: string,
): Promise<void> {
  if (!isTotpCode(code) || !(await takesStep({ db, now, services }, factor, code)))
    throw unauthenticated('UNAUTHORIZED', 'the code is wrong. Check the clock of your device');
  await db.run(update('secondFactor', factor.id, { confirmedAt: now, updatedAt: now }));
}

/** Replaces the recovery codes. Only their digests are stored: the result is the only copy. */
export async function newRecoveryCodes({ db, newRow, randomBytes }: Work, userId: string): Promise<string[]> {
  await db.run(remove('recoveryCode', { userId }));
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(RECOVERY_BYTES)));
  for (const code of codes)
    await db.run(insert('recoveryCode', { ...newRow(), userId, digest: digestOf(code) }));
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

/** Normalizes a typed recovery code. */
const plainly = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

/** Removes two-factor authentication and its recovery codes. */
export async function removeFactor({ db }: Pick<Work, 'db'>, userId: string): Promise<void> {
  await db.run(remove('secondFactor', { id: userId }));
  await db.run(remove('recoveryCode', { userId }));
}
