import { addDays } from '../../../ui/days.ts';

/** The local midnight of a time. */
export const dayOf = (at: number): number => addDays(at, 0);

/** The local midnight of the first of the last `days` days, up to and including the day of `now`. */
export const firstDay = (days: number, now: number): number => addDays(now, 1 - days);
