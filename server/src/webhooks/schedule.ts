const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each failure the next attempt is made, in milliseconds: the schedule of Standard Webhooks. */
const delays = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** By how much of itself a delay varies, so that those who failed together do not come back together. */
const JITTER = 0.1;
/** What a receiver may ask for at most. */
const MAX_RETRY_AFTER = 24 * HOUR;

/**
 * How long to wait, in milliseconds, after an event has failed `failures` times; undefined once it is given up. `retryAfter` is what
 * the receiver asked for, in milliseconds: it is never asked sooner. `random` is from 0 to 1.
 */
export function delayAfter(
  failures: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = delays[failures - 1];
  if (delay === undefined) return undefined;
  const varied = Math.round(delay * (1 - JITTER + 2 * JITTER * random));
  return Math.max(varied, retryAfter ?? 0);
}

/** What `Retry-After` asks for, in milliseconds from `now`: seconds or a date; undefined if it is neither. */
export function retryAfterOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}
