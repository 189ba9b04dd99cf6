import { ApiError } from '../errors.ts';
import type { Verdict } from './slidingWindow.ts';
import { WINDOW_MS } from './table.ts';

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** `RateLimit-Policy`, in the syntax of draft-ietf-httpapi-ratelimit-headers-11. */
export const policyHeader = (kind: string, limit: number): string =>
  `"${kind}";q=${limit};w=${WINDOW_MS / 1000}`;

/** `RateLimit`, of the same draft: `r` is the number of free slots, `t` the seconds until one more is free. */
export const limitHeader = (kind: string, { remaining, resetMs }: Verdict): string =>
  `"${kind}";r=${remaining};t=${seconds(resetMs)}`;

/** RATE_LIMITED, with `Retry-After` (RFC 9110, 10.2.3) in seconds. After that time a slot is free. */
export function rateLimited(kind: string, limit: number, { resetMs }: Verdict): ApiError {
  const wait = seconds(resetMs);
  return new ApiError(
    'RATE_LIMITED',
    `more than ${limit} requests of the kind "${kind}" in ${WINDOW_MS / 1000} s: retry in ${wait} s`,
    undefined,
    { 'retry-after': String(wait) },
  );
}
