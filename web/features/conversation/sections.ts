import type { Row } from './rows.ts';

/** Consecutive rows that are rendered, laid out and painted together, without the date above them. */
export interface Section {
  /** Stays the same as long as any of its rows is rendered. */
  readonly key: number;
  /** The day of its first row, in ms, if there is a date separator above it. */
  readonly day: number | undefined;
  readonly rows: readonly Row[];
}

/** Maximum number of rows in a new section. */
export const MOST = 20;

const isSame = (one: Row | undefined, { id, day, isFirstNew, hasAuthor }: Row): boolean =>
  one?.id === id && one.day === day && one.isFirstNew === isFirstNew && one.hasAuthor === hasAuthor;

/**
 * Splits rows into sections, so a new message changes only the last one. A row stays in its section
 * unless a date separator appears above it. Unchanged sections stay the same objects.
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
