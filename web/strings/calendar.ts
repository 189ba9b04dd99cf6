import { weekday } from './format.ts';

export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** All time zones as options, with the chosen one and the user's first. */
export const timeZoneOptions = (chosen: string): { value: string; label: string }[] =>
  [...new Set([chosen, ownTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  }));

/** The name of a weekday: 1 is Monday, and Sunday is 0 or 7. January 2023 began on a Sunday. */
export const weekdayName = (day: number): string => weekday(new Date(2023, 0, 1 + day)).long;
