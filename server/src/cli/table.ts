import { plain } from '../lib/plain.ts';

const GAP = '  ';

/** Formats a table with headings. Fields whose names end in `At` are times, shown in local time. */
export function tableOf(records: readonly object[], columns: readonly string[]): string[] {
  if (records.length === 0) return ['None.'];
  const rows = records.map((record) =>
    columns.map((name) => shown(name, (record as Record<string, unknown>)[name])),
  );
  const all = [columns.map(headingOf), ...rows];
  const widths = columns.map((_, place) => Math.max(...all.map((row) => lengthOf(row[place] as string))));
  return all.map((row) =>
    row
      .map((cell, place) => cell + ' '.repeat((widths[place] as number) - lengthOf(cell)))
      .join(GAP)
      .trimEnd(),
  );
}

/** Formats a time as `2026-11-22 06:07`, in local time. */
function dateOf(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return date.toISOString().slice(0, 16).replace('T', ' ');
}

/** Converts `lastUsedAt` to `LAST USED`, and `userId` to `USER`. */
const headingOf = (name: string): string =>
  name
    .replace(/(?<=.)(At|Id)$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toUpperCase();

function shown(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'number' && /^at$|At$/.test(name)) return dateOf(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}

const lengthOf = (text: string): number => [...text].length;
