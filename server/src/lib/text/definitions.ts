import { readTarget, readTitle } from './targets.ts';

/** Link targets by label, as in `[label]: https://…`. */
export type Definitions = Map<string, { url: string; title: string; isUsed: boolean }>;

const label = /^\[((?:[^\\[\]]|\\[\s\S]){1,999})\]:[ \t]*\n?[ \t]*/;
const endOfLine = /[ \t]*(?:\n|$)/y;

/** Normalizes a label, because labels are compared regardless of case and the amount of whitespace. */
export const labelKey = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase();

/** Parses the definition at the start of a text. */
export function takeDefinition(
  text: string,
): { label: string; url: string; title: string; length: number } | undefined {
  const match = label.exec(text);
  if (!match) return undefined;
  const key = labelKey(match[1] as string);
  const target = readTarget(text, match[0].length);
  if (key === '' || !target || target.end === match[0].length) return undefined;
  const title = readTitle(text, target.end);
  const withTitle = title && endAt(text, title.end);
  if (title && withTitle !== undefined)
    return { label: key, url: target.url, title: title.text, length: withTitle };
  const length = endAt(text, target.end);
  return length === undefined ? undefined : { label: key, url: target.url, title: '', length };
}

/** Returns the start of the next line, if only whitespace precedes it. */
function endAt(text: string, at: number): number | undefined {
  endOfLine.lastIndex = at;
  return endOfLine.test(text) ? endOfLine.lastIndex : undefined;
}
