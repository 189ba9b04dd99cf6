import { hash } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { WINDOW_MS } from '../../limits/table.ts';
import type { ActCall } from '../../operations/act.ts';

/** Attempts on one account from all addresses, as a multiple of those from one: nobody can lock out its owner alone. */
const ADDRESSES = 6;

/**
 * Counts an attempt to prove that one is the owner of an account, whether there is such an account or not. `account` is the name
 * that was given. Throws RATE_LIMITED.
 */
export async function countAttempt(
  { services: { limits, limiter }, address }: Pick<ActCall, 'services' | 'address'>,
  account: string,
): Promise<void> {
  const limit = limits.attempt;
  if (limit === 0) return;
  // Names may be long, and are nobody's business in Valkey.
  const name = hash('sha256', account.normalize('NFKC').toLowerCase(), 'base64url').slice(0, 22);
  const ceiling = { subject: `attempts ${name}`, limit: limit * ADDRESSES };
  const verdict = await limiter.take(`attempt ${name} ${address}`, limit, ceiling);
  if (verdict.accepted) return;
  const seconds = Math.max(
    1,
    Math.ceil(Math.max(verdict.remaining > 0 ? 0 : verdict.resetMs, verdict.ceilingMs ?? 0) / 1000),
  );
  throw new ApiError(
    'RATE_LIMITED',
    `more than ${limit} attempts on one account in ${WINDOW_MS / 1000} s: try again in ${seconds} s`,
    undefined,
    { 'retry-after': String(seconds) },
  );
}
