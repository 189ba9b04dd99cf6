// Quiet hours, during which there are no pushes, sounds or email digests. The server and the web client share
// this file, so it imports nothing.

/** The quiet hours of a person. */
export interface QuietHours {
  /** A time such as `22:00`. Equal to `to` for whole days. */
  from: string;
  /** A time at or before `from` is on the next day. */
  to: string;
  /** The IANA name of the time zone, such as `Europe/Berlin`. */
  timeZone: string;
  /** The days on which quiet hours start: 1 is Monday, 7 is Sunday. */
  days: readonly number[];
}

const DAY_MINUTES = 24 * 60;
/** Maximum cached formatters. Only a few of about 600 time zones are in use. */
const MAX_CACHED = 100;

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the formatter for a time zone; undefined if the time zone is unknown. */
function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const known = formatters.get(timeZone);
  if (known) return known;
  try {
    const made = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    if (formatters.size >= MAX_CACHED) formatters.clear();
    formatters.set(timeZone, made);
    return made;
  } catch {
    return undefined;
  }
}

export const isTimeZone = (timeZone: string): boolean => formatterOf(timeZone) !== undefined;

const minutesIn = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * Returns the minutes until quiet hours end, at a time in ms since the Unix epoch; 0 outside of quiet hours.
 */
export function quietMinutes(hours: QuietHours | null | undefined, at: number): number {
  const formatter = hours && formatterOf(hours.timeZone);
  if (!formatter) return 0;
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = weekdays.indexOf(parts.get('weekday') ?? '') + 1;
  const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  const [start, end] = [minutesIn(hours.from), minutesIn(hours.to)];
  const isOn = (weekday: number) => hours.days.includes(weekday);
  if (start < end) return isOn(day) && minute >= start && minute < end ? end - minute : 0;
  if (isOn(day) && minute >= start) return DAY_MINUTES - minute + end;
  return isOn(day === 1 ? 7 : day - 1) && minute < end ? end - minute : 0;
}
