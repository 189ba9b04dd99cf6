// Formats numbers, times and sizes in the language of the texts, with the reader's regional conventions.

declare const LANGUAGE: string | undefined;

/** The language of the texts (BCP 47). Unbuilt sources are always English. */
export const language: string = typeof LANGUAGE === 'string' ? LANGUAGE : 'en';

/** A point in time: milliseconds, a `Date`, or an ISO 8601 text as in the API. */
export type Instant = number | string | Date;

/** Some browsers report invalid tags, such as `C` on a Unix without a locale. */
const languages = (globalThis.navigator?.languages ?? []).filter((each) => {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(each).length > 0;
  } catch {
    return false;
  }
});

/**
 * The reader's regional variety of the texts' language, such as en-GB. Formats from another language would
 * not fit the texts.
 */
export const locale = languages.find((each) => each.split('-')[0] === language) ?? language;

/** The reader's 12-hour or 24-hour clock, even if they use the client in another language. */
const { hourCycle } = new Intl.DateTimeFormat(languages[0] ?? locale, { hour: 'numeric' }).resolvedOptions();

/** A formatter takes some tenths of a millisecond to create, so each is created only once, on first use. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  once(() => new Intl.DateTimeFormat(locale, { hourCycle, ...options }));
const numbers = (options: Intl.NumberFormatOptions) => once(() => new Intl.NumberFormat(locale, options));

const rules = once(() => new Intl.PluralRules(locale));
const plain = numbers({});
const short = numbers({ notation: 'compact', maximumFractionDigits: 1 });
const share = numbers({ style: 'percent', maximumFractionDigits: 1 });
const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const clock = dates({ hour: 'numeric', minute: '2-digit' });
const shortDate = dates({ day: 'numeric', month: 'short' });
const shortDateYear = dates({ day: 'numeric', month: 'short', year: 'numeric' });
const longDate = dates({ weekday: 'long', day: 'numeric', month: 'long' });
const longDateYear = dates({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const monthYear = dates({ month: 'long', year: 'numeric' });
const narrowDay = dates({ weekday: 'narrow' });
const longDay = dates({ weekday: 'long' });
const dayAlone = dates({ day: 'numeric' });
const hourAlone = dates({ hour: 'numeric' });
const whole = dates({ dateStyle: 'long', timeStyle: 'short' });
const names = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }));

/** The plural category of a count: `one`, `few`, `other`. */
export const pluralForm = (count: number): Intl.LDMLPluralRule => rules().select(count);

/** "12,345". */
export const number = (value: number): string => plain().format(value);

/** "12", and "999+" above 999. */
export const upTo999 = (value: number): string => (value > 999 ? `${number(999)}+` : number(value));

/** "12.3K", for places with little room. */
export const compactNumber = (value: number): string => short().format(value);

/** "12.5%" for 0.125. */
export const percent = (value: number): string => share().format(value);

/** "1.4 MB", from bytes. */
export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  let rest = value;
  let step = 0;
  while (rest >= 999.5 && step < units.length - 1) {
    rest /= 1000;
    step++;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: rest < 10 ? 1 : 0,
  }).format(rest);
}

/** "14:05", or "2:05 PM" with a 12-hour clock. */
export const time = (at: Instant): string => clock().format(new Date(at));

const dayNumber = (date: Date): number =>
  Math.round(new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() / 86_400_000);

/** Whether two instants are on the same day in the reader's time zone. */
export const isSameDay = (one: Instant, other: Instant): boolean =>
  dayNumber(new Date(one)) === dayNumber(new Date(other));

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** "Today", "Yesterday", "Friday, 20 November", with the year unless it is the current one. */
export function day(at: Instant, now: Instant = Date.now()): string {
  const [date, today] = [new Date(at), new Date(now)];
  const away = dayNumber(date) - dayNumber(today);
  if (away === 0 || away === -1) return capital(relative().format(away, 'day'));
  return (date.getFullYear() === today.getFullYear() ? longDate() : longDateYear()).format(date);
}

/** "14:05" today, "20 Nov" this year, "20 Nov 2025" before: for lists. */
export function shortTime(at: Instant, now: Instant = Date.now()): string {
  const [date, today] = [new Date(at), new Date(now)];
  if (isSameDay(date, today)) return time(date);
  return (date.getFullYear() === today.getFullYear() ? shortDate() : shortDateYear()).format(date);
}

/** "20 November 2026 at 14:05": for tooltips. */
export const dateTime = (at: Instant): string => whole().format(new Date(at));

/** "November 2026": for the header of a calendar. */
export const month = (at: Instant): string => monthYear().format(new Date(at));

/** The first day of the week in the reader's locale: 1 is Monday, 7 Sunday. */
export function firstWeekday(): number {
  const own = new Intl.Locale(languages[0] ?? locale) as Intl.Locale & {
    weekInfo?: { firstDay: number };
    getWeekInfo?(): { firstDay: number };
  };
  return (own.getWeekInfo?.() ?? own.weekInfo)?.firstDay ?? 1;
}

/** "M" and "Monday". */
export const weekday = (at: Instant): { short: string; long: string } => ({
  short: narrowDay().format(new Date(at)),
  long: longDay().format(new Date(at)),
});

/** "20", and "2 PM" or "14": for the labels of a chart. */
export const dayMark = (at: Instant): string => dayAlone().format(new Date(at));
export const hourMark = (at: Instant): string => hourAlone().format(new Date(at));

/** "Friday, 20 November 2026": for screen readers. */
export const wholeDay = (at: Instant): string => longDateYear().format(new Date(at));

/** "3 minutes ago", "in 2 days", "now". */
export function ago(at: Instant, now: Instant = Date.now()): string {
  const seconds = (new Date(at).getTime() - new Date(now).getTime()) / 1000;
  const steps = [
    ['year', 31_536_000],
    ['month', 2_592_000],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return relative().format(Math.trunc(seconds / size), unit);
  return relative().format(0, 'second');
}

/** "12 ms" or "0.8 ms". */
export const milliseconds = (value: number): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'millisecond',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);

/** "4:05" or "1:04:05", from seconds: a position in a video or audio file. */
export function position(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...others] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...others.map((part) => String(part).padStart(2, '0'))].join(':');
}

/** "2 hr, 5 min", from seconds: the two largest units. */
export function duration(seconds: number): string {
  const parts = [
    ['day', Math.floor(seconds / 86_400)],
    ['hour', Math.floor(seconds / 3600) % 24],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', Math.round(seconds % 60)],
  ] as const;
  const first = parts.findIndex(([, value]) => value > 0);
  const shown = parts
    .slice(first < 0 ? 3 : first)
    .slice(0, 2)
    .filter(([, value], at) => at === 0 || value > 0);
  return shown
    .map(([unit, value]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value),
    )
    .join(', ');
}

/** "Ada, Ben and Cem". */
export const list = (items: readonly string[]): string =>
  // Most lists on the first page have one item, which needs no formatter.
  items.length === 1 ? (items[0] as string) : names().format(items);
