/** Unchecked input. Functions that accept it must handle any value. */
// biome-ignore lint/suspicious/noExplicitAny: unchecked input
export type Loose = any;

export const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);

/** Returns text unchanged and a number as text; empty for anything else. */
export const stringOf = (value: Loose): string =>
  typeof value === 'string' ? value : Number.isFinite(value) ? String(value) : '';

/** A number; 0 for anything else. */
export const numberOf = (value: Loose): number => (Number.isFinite(value) ? value : 0);

/** The first value that is a number or a non-blank text; otherwise empty. */
export const firstOf = (...values: Loose[]): string =>
  values.map(stringOf).find((text) => text.trim() !== '') ?? '';

/** Joins the non-blank parts, without blank lines around them. */
export const joined = (parts: readonly string[], between: string): string =>
  parts
    .map((part) => part.trimEnd().replace(/^\s*\n/, ''))
    .filter((part) => part !== '')
    .join(between);

/**
 * Safely looks up a name in a table: the name comes from outside and may be a property that every object
 * inherits.
 */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: Loose): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
