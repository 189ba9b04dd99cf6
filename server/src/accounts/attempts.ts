import { hash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { ActCall } from '../operations/act.ts';

/** Attempts on one account from all addresses, as a multiple of those from one: nobody can lock out its owner alone. */
const ADDRESSES = 6;

/**
 * The kinds of what is tried. `name`: the name that somebody gives to sign in, whatever it is; `reset`: the same, to get a mail. `user`: the id
 * of the user whose password or code is given; `userCode`: the id of the user who types the code of an app.
 */
type Kind = 'name' | 'reset' | 'user' | 'userCode';

/**
 * Counts an attempt to prove that one is the owner of an account, whether there is such an account or not. Each kind is counted by itself:
 * nobody uses up the attempts of one by what they give as another. Throws RATE_LIMITED.
 */
export async function countAttempt(
  { services: { limits, limiter }, address }: Pick<ActCall, 'services' | 'address'>,
  kind: Kind,
  given: string,
): Promise<void> {
  const limit = limits.attempt;
  if (limit === 0) return;
  // Names may be long, and are nobody's business in Valkey.
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
    `more than ${limit} attempts on one account in ${WINDOW_MS / 1000} s: try again in ${seconds} s`,
    undefined,
    { 'retry-after': String(seconds) },
  );
}
