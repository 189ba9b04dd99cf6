/** Maximum characters of a text to keep. */
const MAX_TEXT = 2_000;
/** Approximate number of characters that each value adds to its JSON. */
const VALUE_CHARACTERS = 4;

/**
 * Copies the start of a payload, up to about `most` characters of JSON. `isWhole` is false if anything was
 * omitted, such as the end of a text or later elements.
 */
export function boundedCopy(payload: unknown, most: number): { copy: unknown; isWhole: boolean } {
  let left = most;
  let isWhole = true;
  const textOf = (text: string): string => {
    const length = Math.max(0, Math.min(text.length, MAX_TEXT, left));
    left -= length;
    if (length === text.length) return text;
    isWhole = false;
    return `${text.slice(0, length).toWellFormed()}…`;
  };
  const copyOf = (value: unknown): unknown => {
    left -= VALUE_CHARACTERS;
    if (typeof value === 'string') return textOf(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const list: unknown[] = [];
      for (const inner of value) {
        if (left <= 0) {
          isWhole = false;
          break;
        }
        list.push(copyOf(inner));
      }
      return list;
    }
    const entries: [string, unknown][] = [];
    for (const name in value) {
      if (left <= 0 || name.length > left) {
        isWhole = false;
        break;
      }
      left -= name.length;
      entries.push([name, copyOf((value as Record<string, unknown>)[name])]);
    }
    return Object.fromEntries(entries);
  };
  return { copy: copyOf(payload), isWhole };
}
