/** The local midnight of a time. */
export const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** The local midnight of the first of the last `days` days, up to and including the day of `now`. */
export function firstDay(days: number, now: number): number {
  const date = new Date(dayOf(now));
  return date.setDate(date.getDate() - (days - 1));
}
