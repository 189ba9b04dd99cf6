import { hash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { ActCall } from '../operations/act.ts';

/**
 * Maximum attempts on one account from all addresses, as a multiple of the limit per address. It is higher
 * so that no single address can lock out the owner.
 */
const ADDRESSES = 6;

/**
 * The kinds of attempts. `name`: a name entered to sign in, whether or not it exists. `reset`: a name
 * entered to reset a password. `user`: the id of the user whose password or code is entered. `userCode`:
 * the id of the user who enters an app's code.
 */
type Kind = 'name' | 'reset' | 'user' | 'userCode';

/**
 * Counts an attempt to authenticate as the owner of an account, whether or not the account exists. Each
 * kind has its own counter, so attempts of one kind don't use up another's. Throws RATE_LIMITED.
 */
export async function countAttempt(
  { services: { limits, limiter }, address }: Pick<ActCall, 'services' | 'address'>,
  kind: Kind,
  given: string,
): Promise<void> {
  const limit = limits.attempt;
  if (limit === 0) return;
  // Hashed, because names may be long and don't belong in Valkey.
  const name = `${kind} ${hash('sha256', given.normalize('NFKC').toLowerCase(), 'base64url').slice(0, 22)}`;
  const ceiling = { subject: `attempts ${name}`, limit: limit * ADDRESSES };
  const verdict = await limiter.take(`attempt ${name} ${address}`, limit, ceiling);
  if (verdict.accepted) return;
  const seconds = Math.max(
    1,
    Math.ceil(Math.max(verdict.remaining > 0 ? 0 : verdict.resetMs, verdict.ceilingMs ?? 0) / 1000),
  );
  throw new ApiError(
    'RATE_LIMITED',
    `more than ${limit} sign-in attempts for one account in ${WINDOW_MS / 1000} s. Try again in ${seconds} s`,
    undefined,
    { 'retry-after': String(seconds) },
  );
}
