import type { Records } from '../../../api/records.ts';

export type KeyUsage = Records['KeyUsage'];

const HOUR_MS = 60 * 60_000;

/** The number of requests by outcome. */
export interface Requests {
  answered: number;
  refused: number;
  limited: number;
}

const add = (one: Requests, { answered, refused, limited }: Requests): Requests => ({
  answered: one.answered + answered,
  refused: one.refused + refused,
  limited: one.limited + limited,
});
const none: Requests = { answered: 0, refused: 0, limited: 0 };

/** The requests of all keys in each of the last `hours` hours, up to and including the hour of `now`. */
export function perHour({ keys }: KeyUsage, hours: number, now: number): (Requests & { at: number })[] {
  const last = Math.floor(now / HOUR_MS) * HOUR_MS;
  const byHour = Map.groupBy(
    keys.flatMap((key) => key.hours),
    ({ at }) => at,
  );
  return Array.from({ length: hours }, (_, index) => {
    const at = last - (hours - 1 - index) * HOUR_MS;
    return { at, ...(byHour.get(at) ?? []).reduce<Requests>(add, none) };
  });
}

/** The requests by one key in all hours that were counted. */
export const sumOf = (usage: KeyUsage | undefined, secretId: string): Requests =>
  (usage?.keys.find((key) => key.secretId === secretId)?.hours ?? []).reduce<Requests>(add, none);
