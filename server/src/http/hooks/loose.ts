/** A value of a body that nobody has checked. All that read one take any value. */
// biome-ignore lint/suspicious/noExplicitAny: unchecked input
export type Loose = any;

export const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);

/** A text or a number as text; empty for anything else. */
export const stringOf = (value: Loose): string =>
  typeof value === 'string' ? value : Number.isFinite(value) ? String(value) : '';

/** A number; 0 for anything else. */
export const numberOf = (value: Loose): number => (Number.isFinite(value) ? value : 0);

/** The first of the values that is a text, or a number, and not blank; empty if there is none. */
export const firstOf = (...values: Loose[]): string =>
  values.map(stringOf).find((text) => text.trim() !== '') ?? '';

/** The parts that are not blank, without blank lines around them, joined. */
export const joined = (parts: readonly string[], between: string): string =>
  parts
    .map((part) => part.trimEnd().replace(/^\s*\n/, ''))
    .filter((part) => part !== '')
    .join(between);

/** The entry of a table with that name. Names come from outside, and may be those that every object has. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: Loose): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
