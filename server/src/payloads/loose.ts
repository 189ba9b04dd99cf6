/** Input that has not been validated. Functions that accept it must handle any value. */
// biome-ignore lint/suspicious/noExplicitAny: unchecked input
export type Loose = any;

export const listOf = (value: Loose): Loose[] => (Array.isArray(value) ? value : []);

/**
 * Returns a text, truncated to the length that a conversion reads, or a number as text. Empty for anything
 * else.
 */
export const stringOf = (value: Loose): string =>
  typeof value === 'string' ? startOf(value, mostOfText) : Number.isFinite(value) ? String(value) : '';

/** Returns the first characters of a text. Does not split surrogate pairs. */
const startOf = (text: string, most: number): string =>
  text.length > most ? text.slice(0, most).toWellFormed() : text;

/**
 * Maximum characters of a payload's texts that are converted: three times the maximum length of a message.
 * Converting markup takes up to a microsecond per character, and the rest would be truncated anyway.
 */
const MAX_CONVERTED = 24_000;
let mostOfText = MAX_CONVERTED;
let left = MAX_CONVERTED;
/**
 * Maximum characters that the conversion of a payload may escape. Formats escape many short texts, some of
 * them twice, so this is more than the number of converted characters.
 */
const MAX_ESCAPED = 2 * MAX_CONVERTED;
let escapable = MAX_ESCAPED;

/**
 * Maximum elements in nested lists, such as those of cards, that the conversion of a payload may visit. Real
 * cards have a few dozen.
 */
const MAX_ELEMENTS = 500;
let elements = MAX_ELEMENTS;

/**
 * Resolves ids, links and short names of emoji in an imported text. The functions return undefined for
 * unknown ones.
 */
export interface References {
  person(id: string): string | undefined;
  channel(id: string): string | undefined;
  group(id: string): string | undefined;
  link(url: string): string | undefined;
  emoji(name: string): string | undefined;
}
let references: References | undefined;

/**
 * Returns the references for the current conversion; undefined for webhook payloads, whose ids cannot be
 * resolved.
 */
export const knownReferences = (): References | undefined => references;

/**
 * Resets the budgets for the conversion of a payload. They are module variables, because conversions are
 * synchronous.
 */
export function beginConversion(): void {
  references = undefined;
  elements = MAX_ELEMENTS;
  mostOfText = MAX_CONVERTED;
  left = MAX_CONVERTED;
  escapable = MAX_ESCAPED;
}

/** Runs the conversion of a message from an archive, of up to `most` characters, with known references. */
export function convertedWith<T>(known: References, most: number, convert: () => T): T {
  beginConversion();
  references = known;
  mostOfText = most;
  left = most;
  escapable = 2 * most;
  try {
    return convert();
  } finally {
    beginConversion();
  }
}

/** Returns the start of a text that will be escaped. Empty once the payload has used up its budget. */
export function escapableOf(text: string): string {
  const taken = startOf(text, escapable);
  escapable -= taken.length;
  return taken;
}

/** Like `stringOf`, for a text whose markup is converted. Empty once the payload has used up its budget. */
export function markupOf(value: Loose): string {
  const text = stringOf(value);
  const taken = startOf(text, left);
  left -= taken.length;
  return taken;
}

/** Converts the elements of a list until the payload has used up its budget of elements. */
export function each(list: Loose, convert: (item: Loose) => string): string[] {
  const parts: string[] = [];
  for (const item of listOf(list)) {
    if (elements <= 0) break;
    elements--;
    parts.push(convert(item));
  }
  return parts;
}

/** Returns a number; 0 for anything else. */
export const numberOf = (value: Loose): number => (Number.isFinite(value) ? value : 0);

/** Returns the first value that is a number or text that is not blank; empty if there is none. */
export const firstOf = (...values: Loose[]): string =>
  values.map(stringOf).find((text) => text.trim() !== '') ?? '';

/** Joins the parts that are not blank, and removes the blank lines around them. */
export const joined = (parts: readonly string[], between: string): string =>
  parts
    .map((part) => part.trimEnd().replace(/^\s*\n/, ''))
    .filter((part) => part !== '')
    .join(between);

/**
 * Safely looks up a name in a table. The name is untrusted and may be a property that every object inherits.
 */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: Loose): T | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;
