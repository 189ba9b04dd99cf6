import { Cron } from 'croner';

/**
 * A schedule: a cron expression with five fields (minute, hour, day of month, month, day of week) in an IANA
 * time zone.
 */
export interface Schedule {
  cron: string;
  timeZone: string;
}

const NAMES = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const value = `(?:[0-9]{1,2}|${NAMES})`;
const field = `(?:\\*|${value}(?:-${value})?)(?:/[0-9]{1,2})?`;
const pattern = new RegExp(`^${field}(?:,${field})*$`, 'i');

/** Whether this is a cron expression with five fields, without non-standard extensions. */
export function isCron(cron: string): boolean {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 || !fields.every((one) => pattern.test(one))) return false;
  try {
    new Cron(cron, { paused: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the first time of a schedule after `after`, both in milliseconds since the Unix epoch; undefined if
 * there is none. If a clock change skips the time, the first time after the gap is used. If a clock change
 * repeats the time, it counts once.
 */
export function nextTime({ cron, timeZone }: Schedule, after: number): number | undefined {
  const next = new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after));
  return next?.getTime();
}
