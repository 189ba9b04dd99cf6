import { hash } from 'node:crypto';
import { ApiError } from '../errors.ts';
import { widerNetworksOf } from '../lib/network.ts';
import type { Verdict } from '../limits/slidingWindow.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { ActCall } from '../operations/act.ts';

/**
 * Maximum attempts on one account from all addresses, as a multiple of the limit per address. It is higher,
 * so that a single address cannot lock out the owner.
 */
const ADDRESSES = 6;

/**
 * The kinds of attempts. An account is identified by the name entered to sign in (`name`) or to reset a
 * password (`reset`), whether or not the name exists. For the other kinds, it is identified by the id of the
 * user whose password or code is entered (`user`), or who enters an app's code (`userCode`).
 */
type Kind = 'name' | 'reset' | 'user' | 'userCode';

/**
 * Counts an attempt to authenticate as the owner of an account, whether or not the account exists. Each kind
 * has its own counter, so attempts of one kind don't use up another's. A /56 may make twice as many attempts
 * as a /64, and a /48 four times as many, because a single customer may own either. A browser that has signed
 * in to the account before (`known` identifies it) has a separate counter, so nobody else can use up its
 * attempts. Throws RATE_LIMITED.
 */
export async function countAttempt(
  { services: { limits, limiter }, address }: Pick<ActCall, 'services' | 'address'>,
  kind: Kind,
  given: string,
  known?: string,
): Promise<void> {
  const limit = limits.attempt;
  if (limit === 0) return;
  // Names are hashed because they may be long and should not be stored in Valkey.
  const name = `${kind} ${hash('sha256', given.normalize('NFKC').toLowerCase(), 'base64url').slice(0, 22)}`;
  if (known !== undefined) {
    requireAccepted(await limiter.take(`attempt ${name} known ${known}`, limit), limit);
    return;
  }
  const ceiling = { subject: `attempts ${name}`, limit: limit * ADDRESSES };
  // The narrowest network comes first, so that a refused attempt does not count against wider networks or the
  // account.
  const networks = [address, ...widerNetworksOf(address)];
  for (const [at, network] of networks.entries()) {
    const most = limit * 2 ** at;
    const last = at === networks.length - 1 ? ceiling : undefined;
    requireAccepted(await limiter.take(`attempt ${name} ${network}`, most, last), most);
  }
}

function requireAccepted({ accepted, remaining, resetMs, ceilingMs }: Verdict, limit: number): void {
  if (accepted) return;
  const waitMs = Math.max(remaining > 0 ? 0 : resetMs, ceilingMs ?? 0);
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  throw new ApiError(
    'RATE_LIMITED',
    `more than ${limit} attempts for one account in ${WINDOW_MS / 1000} s. Try again in ${seconds} s`,
    undefined,
    { 'retry-after': String(seconds) },
  );
}
