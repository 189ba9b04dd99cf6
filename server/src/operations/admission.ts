import type { Caller } from '../access/authenticator.ts';
import { ApiError } from '../errors.ts';
import { rateLimited } from '../limits/headers.ts';
import type { Verdict } from '../limits/slidingWindow.ts';
import type { Kind } from '../limits/table.ts';
import type { Services } from './services.ts';

/** The limit that a request counted against, and the limiter's verdict. */
export interface Counted {
  kind: Kind;
  limit: number;
  verdict: Verdict;
}

/**
 * The first step of every request: authenticate (401). Failures count against a limit of the client's `address`. Throws
 * the error of `authenticate`, or RATE_LIMITED.
 */
export async function authenticated(
  { limits, limiter }: Services,
  address: string,
  authenticate: () => Promise<Caller>,
): Promise<Caller> {
  try {
    return await authenticate();
  } catch (error) {
    const limit = limits.authentication;
    if (!(error instanceof ApiError) || limit === 0) throw error;
    const verdict = await limiter.take(`authentication ${address}`, limit);
    throw verdict.accepted ? error : rateLimited('authentication', limit, verdict);
  }
}

/**
 * The second step: limit (429), per user and kind; for an open operation, per address. `tell` gets the verdict, also of
 * a refused request. Throws RATE_LIMITED.
 */
export async function limited(
  { limits, limiter, keyUse }: Services,
  kind: Kind,
  subject: Caller | string,
  tell: (counted: Counted) => void = () => {},
): Promise<void> {
  const isCaller = typeof subject !== 'string';
  const limit = limits[kind];
  if (limit > 0) {
    const taken = limiter.take(
      `${kind} ${isCaller ? subject.principal.userId : `address ${subject}`}`,
      limit,
    );
    const verdict = taken instanceof Promise ? await taken : taken;
    tell({ kind, limit, verdict });
    if (!verdict.accepted) throw rateLimited(kind, limit, verdict);
  }
  if (isCaller && subject.credential.kind === 'apiKey') keyUse.note(subject.credential.id);
}
