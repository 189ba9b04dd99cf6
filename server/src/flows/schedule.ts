import { Cron } from 'croner';

/** A schedule: five fields of cron (minute, hour, day of month, month, day of week) in an IANA time zone. */
export interface Schedule {
  cron: string;
  timeZone: string;
}

const NAMES = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
const value = `(?:[0-9]{1,2}|${NAMES})`;
const field = `(?:\\*|${value}(?:-${value})?)(?:/[0-9]{1,2})?`;
const pattern = new RegExp(`^${field}(?:,${field})*$`, 'i');

/** Whether these are five fields of cron, without the extensions that some programs have. */
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
 * The first time of a schedule after `after`, both in milliseconds since the Unix epoch; undefined if there is none. A
 * time that the clocks skip is the first one after the skip, and a time that they repeat counts once.
 */
export function nextTime({ cron, timeZone }: Schedule, after: number): number | undefined {
  const next = new Cron(cron, { timezone: timeZone, paused: true }).nextRun(new Date(after));
  return next?.getTime();
}
