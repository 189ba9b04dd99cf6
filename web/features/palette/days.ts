import { locale } from '../../strings/format.ts';
import { addDays } from '../../ui/days.ts';
import { fold } from '../../ui/fold.ts';

/** Names are matched in the user's language and in English. */
const languages = [...new Set([locale, 'en'])];
/** Minimum length of a month's prefix. */
const LEAST = 3;

/** The local midnight of a day; undefined if the date doesn't exist. */
function dayOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date.getTime() : undefined;
}

/** The local midnight of a day. Without a year, uses the latest year in which the day is not in the future. */
function latest(month: number, day: number, year: number | undefined, now: number): number | undefined {
  if (year !== undefined) return dayOf(year < 100 ? 2000 + year : year, month, day);
  const thisYear = new Date(now).getFullYear();
  // The most recent 29 February can be up to eight years ago.
  return Array.from({ length: 9 }, (_, ago) => dayOf(thisYear - ago, month, day)).find(
    (at) => at !== undefined && at <= now,
  );
}

/** Parses "yesterday", "2 weeks ago" or "last month". */
function ago(text: string, now: number): number | undefined {
  const counts = new Set([0, 1, 2, Number(/\d+/.exec(text)?.[0] ?? 0)]);
  for (const language of languages) {
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    const says = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
      fold(relative.format(-count, unit)) === text;
    for (const count of counts) {
      if (says(count, 'day')) return addDays(now, -count);
      if (says(count, 'week')) return addDays(now, -7 * count);
      const date = new Date(now);
      if (says(count, 'month'))
        return new Date(date.getFullYear(), date.getMonth() - count, date.getDate()).getTime();
    }
  }
  return undefined;
}

/** Parses "Monday" as the latest Monday before today. */
function weekday(text: string, now: number): number | undefined {
  const days = Array.from({ length: 7 }, (_, at) => addDays(now, -1 - at));
  return days.find((day) =>
    languages.some((language) =>
      (['long', 'short'] as const).some(
        (form) => fold(new Intl.DateTimeFormat(language, { weekday: form }).format(day)) === text,
      ),
    ),
  );
}

/** Parses "2026-03-01" or "2026-03". */
function iso(text: string): number | undefined {
  const [, year, month, day = 1] = /^(\d{4})[-./](\d{1,2})(?:[-./](\d{1,2}))?$/.exec(text) ?? [];
  return year === undefined ? undefined : dayOf(Number(year), Number(month), Number(day));
}

/**
 * Parses "1.3." or "1/3/26". With dots, the day comes first. Otherwise, the locale decides whether the day or the
 * month comes first. If that date doesn't exist, tries the other order.
 */
function short(text: string, now: number): number | undefined {
  const [, first, second, year] = /^(\d{1,2})[-./](\d{1,2})(?:[-./](\d{4}|\d{2})?)?$/.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const parts = new Intl.DateTimeFormat(locale).formatToParts(now).map(({ type }) => type);
  const orders = [
    [second, first],
    [first, second],
  ] as const;
  const isMonthFirst = parts.indexOf('month') < parts.indexOf('day') && !text.includes('.');
  for (const [month, day] of isMonthFirst ? orders.toReversed() : orders) {
    const at = latest(Number(month), Number(day), year === undefined ? undefined : Number(year), now);
    if (at !== undefined) return at;
  }
  return undefined;
}

/** The number of the month with this name or prefix, from 1 to 12. */
function monthOf(word: string): number | undefined {
  if (word.length < LEAST) return undefined;
  for (const language of languages) {
    const names = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long' });
    for (let month = 1; month <= 12; month++) {
      const parts = names.formatToParts(new Date(2000, month - 1, 1));
      if (fold(parts.find(({ type }) => type === 'month')?.value ?? '').startsWith(word)) return month;
    }
  }
  return undefined;
}

/** Parses "1 March", "March 1st, 2026" or "March". */
function named(text: string, now: number): number | undefined {
  const words = text.split(/[\s,.]+/).filter((word) => word !== '' && word !== 'of');
  const months = words.map(monthOf).filter((month) => month !== undefined);
  const numbers = words
    .map((word) => /^(\d{1,4})(st|nd|rd|th)?$/.exec(word)?.[1])
    .filter(Boolean)
    .map(Number);
  const [month] = months;
  if (month === undefined || months.length + numbers.length < words.length) return undefined;
  const year = numbers.find((one) => one > 31);
  return latest(month, numbers.find((one) => one <= 31) ?? 1, year, now);
}

/**
 * Parses a date in the user's format and language, a weekday, or a relative day such as "yesterday". Returns
 * its local midnight in ms, or undefined for other text and for future days.
 */
export function dayIn(typed: string, now: number = Date.now()): number | undefined {
  const text = fold(typed.trim());
  if (text === '') return undefined;
  const today = addDays(now, 0);
  const at =
    iso(text) ?? short(text, today) ?? ago(text, today) ?? weekday(text, today) ?? named(text, today);
  return at === undefined || at > today ? undefined : at;
}
