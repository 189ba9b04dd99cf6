import type { Deps } from './deps.ts';

/** The bounds of a backoff, in milliseconds. */
export interface Backoff {
  first: number;
  most: number;
}

/**
 * Each wait is shortened by up to this fraction, to keep items that failed together from retrying together.
 */
const JITTER = 0.1;

/**
 * Returns the milliseconds to wait after `failures` failures in a row: doubles from `first` up to `most`,
 * with jitter.
 */
export function backoffMs(
  failures: number,
  { first, most }: Backoff,
  { randomBytes }: Pick<Deps, 'randomBytes'>,
): number {
  const random = (randomBytes(1)[0] as number) / 255;
  return Math.round(Math.min(first * 2 ** (failures - 1), most) * (1 - JITTER * random));
}
