import type { Row } from './rows.ts';

/** Rows that are drawn, laid out and painted together, below the day that begins with them. */
export interface Section {
  /** The same as long as any of its rows is in the page. */
  readonly key: number;
  /** The day of its first row, in ms, if that is named above it. */
  readonly day: number | undefined;
  readonly rows: readonly Row[];
}

/** Rows of a section, at most, when it is made. */
export const MOST = 20;

const isSame = (one: Row | undefined, { id, day, isFirstNew, hasAuthor }: Row): boolean =>
  one?.id === id && one.day === day && one.isFirstNew === isFirstNew && one.hasAuthor === hasAuthor;

/**
 * Parts rows into short lists, so that a message that comes changes the last of them alone. A row stays in the section in which it
 * was before, unless a day has come to begin above it. A section of which nothing has changed is the same object as before.
 */
export function sectionsOf(rows: readonly Row[], before: readonly Section[]): readonly Section[] {
  const homes = new Map(before.flatMap((section) => section.rows.map(({ id }) => [id, section] as const)));
  let next = Math.max(0, ...before.map(({ key }) => key)) + 1;
  const kept = new Set<Section>();
  const parts: { key: number; home: Section | undefined; rows: Row[] }[] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    const home = homes.get(row.id);
    const fits = home === undefined ? last && last.rows.length < MOST : last?.home === home;
    if (last && fits && row.day === undefined) {
      last.rows.push(row);
      continue;
    }
    const isKept = home !== undefined && !kept.has(home);
    if (isKept) kept.add(home);
    parts.push({ key: isKept ? home.key : next++, home, rows: [row] });
  }
  return parts.map(({ key, home, rows: inside }) => {
    const isAsBefore =
      home?.key === key &&
      home.rows.length === inside.length &&
      inside.every((row, at) => isSame(home.rows[at], row));
    return isAsBefore ? home : { key, day: inside[0]?.day, rows: inside };
  });
}
