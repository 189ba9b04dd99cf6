import { addDays } from '../../ui/days.ts';

/** Adds months. The day is limited to the last day of the month. */
export function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const last = new Date(date.getFullYear(), date.getMonth() + months + 1, 0).getDate();
  return new Date(date.getFullYear(), date.getMonth() + months, Math.min(date.getDate(), last)).getTime();
}

/** The weeks of a month: rows of local midnights, each starting on the first weekday (1 is Monday). */
export function weeksOf(at: number, firstWeekday: number): number[][] {
  const date = new Date(at);
  const first = new Date(date.getFullYear(), date.getMonth(), 1);
  const last = new Date(date.getFullYear(), date.getMonth() + 1, 0).getTime();
  const before = (first.getDay() - (firstWeekday % 7) + 7) % 7;
  const weeks: number[][] = [];
  for (let day = addDays(first.getTime(), -before); day <= last; day = addDays(day, 7))
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(day, at)));
  return weeks;
}

/** Limits a day, in ms, to a range. */
export const within = (at: number, from: number, to: number): number =>
  Math.min(Math.max(addDays(at, 0), addDays(from, 0)), addDays(to, 0));
