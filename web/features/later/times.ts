import { later as t } from '../../strings/en/writing.ts';
import { dateTime, isSameDay, time } from '../../strings/format.ts';

const MINUTE = 60_000;
/** The hour at which a day begins, for presets such as "Tomorrow". */
const MORNING = 9;
const MONDAY = 1;

/** The morning of a day, in the user's time zone. */
function morningAfter(now: number, days: number): number {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  return at.setHours(MORNING, 0, 0, 0);
}

/** Tomorrow morning, and next Monday morning, which may be the same. */
export function mornings(now: number): { tomorrow: number; monday: number } {
  const days = (MONDAY - new Date(now).getDay() + 7) % 7 || 7;
  return { tomorrow: morningAfter(now, 1), monday: morningAfter(now, days) };
}

/** The reminder presets, in ms since the Unix epoch. */
export function reminderTimes(now: number) {
  const { tomorrow, monday } = mornings(now);
  return {
    minutes: now + 20 * MINUTE,
    hour: now + 60 * MINUTE,
    hours: now + 180 * MINUTE,
    tomorrow,
    week: monday,
  };
}

/** Formats a time for use within a sentence, such as "tomorrow at 9:00". */
export function when(at: number, now: number = Date.now()): string {
  if (isSameDay(at, now)) return t.today({ time: time(at) });
  if (isSameDay(at, morningAfter(now, 1))) return t.tomorrow({ time: time(at) });
  return t.date({ date: dateTime(at) });
}

/** The value of a `datetime-local` field, in the user's time zone. */
export function localTime(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}
