import { ApiError } from '../errors.ts';
import type { Ceiling, Verdict } from './slidingWindow.ts';
import { WINDOW_MS } from './table.ts';

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Returns the `RateLimit-Policy` header, in the syntax of draft-ietf-httpapi-ratelimit-headers-11. */
export const policyHeader = (kind: string, limit: number): string =>
  `"${kind}";q=${limit};w=${WINDOW_MS / 1000}`;

/**
 * Returns the `RateLimit` header in the syntax of the same draft: `r` is the number of free slots, and `t` is
 * the number of seconds until the next one becomes free.
 */
export const limitHeader = (kind: string, { remaining, resetMs }: Verdict): string =>
  `"${kind}";r=${remaining};t=${seconds(resetMs)}`;

/**
 * Creates a RATE_LIMITED error with `Retry-After` in seconds (RFC 9110, 10.2.3). After that time, a slot is
 * free.
 */
export function rateLimited(kind: string, limit: number, verdict: Verdict, ceiling?: Ceiling): ApiError {
  const { remaining, resetMs, ceilingMs = 0 } = verdict;
  const ownMs = remaining > 0 ? 0 : resetMs;
  const wait = seconds(Math.max(ownMs, ceilingMs));
  const isOwn = ownMs >= ceilingMs;
  const [most, whose] = isOwn ? [limit, ''] : [ceiling?.limit, ' by all agents of the server together'];
  return new ApiError(
    'RATE_LIMITED',
    `more than ${most} requests of the kind "${kind}"${whose} in ${WINDOW_MS / 1000} s: retry in ${wait} s`,
    undefined,
    { 'retry-after': String(wait) },
  );
}
