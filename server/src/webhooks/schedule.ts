const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Backoff after each failure, as recommended by Standard Webhooks. */
const delaysMs = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/**
 * Jitter: each delay varies by this fraction, so that webhooks that failed together do not retry together.
 */
const JITTER = 0.1;
/** Maximum `Retry-After` that is respected. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Returns the milliseconds to wait after `failures` failures of an event; undefined after the last attempt.
 * `retryAfter`, the receiver's `Retry-After` in milliseconds, is the minimum. `random` is between 0 and 1.
 */
export function delayAfter(
  failures: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = delaysMs[failures - 1];
  if (delay === undefined) return undefined;
  const varied = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  return Math.max(varied, retryAfter ?? 0);
}

/**
 * Parses `Retry-After` (RFC 9110, 10.2.3), given in seconds or as a date, to milliseconds from `now`.
 * Undefined if it is neither.
 */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}
