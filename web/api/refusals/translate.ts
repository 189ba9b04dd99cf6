import { permissions, sentence } from '../../strings/en/common.ts';
import { refusals } from '../../strings/en/refusals.ts';
import { bytes, locale } from '../../strings/format.ts';

type Parts = Record<0 | 1 | 2, string | number>;

/** A translation. Its values are numbered: `0` is the first variable part of the server's message. */
type Line = string | ((values: Parts) => string);

const words = refusals.words as Readonly<Record<string, Line>>;
const reasons = refusals.reasons as Readonly<Record<string, Line>>;
const codes = refusals.codes as Readonly<Record<string, string>>;

/** Translations of messages with variable parts, each with the pattern that it matches. */
const patterns = Object.entries(words).flatMap(([key, line]) =>
  key.includes('{}') ? [{ key, line, found: patternOf(key) }] : [],
);

function patternOf(key: string): RegExp {
  const fixed = key.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${fixed.join('(.+?)')}$`, 's');
}

/** A list of permissions, any one of which is enough. */
const anyOf = (names: readonly string[]): string =>
  new Intl.ListFormat(locale, { type: 'disjunction' }).format(
    names.map((name) => sentence.permission({ name })),
  );

/**
 * Formats a variable part of a message: permission flags as their display names, numbers in the page's
 * locale.
 */
function partOf(text: string, isSize: boolean): string | number {
  const found = text.split(/, | or /).map((flag) => permissions[flag as keyof typeof permissions]);
  if (found.every((name: string | undefined) => name !== undefined)) return anyOf(found);
  if (!/^\d+$/.test(text)) return text;
  return isSize ? bytes(Number(text)) : Number(text);
}

const said = (line: Line, [first = '', second = '', third = '']: readonly (string | number)[]): string =>
  typeof line === 'string' ? line : line({ 0: first, 1: second, 2: third });

/** Translates a message by its text. Undefined if there is no translation. */
function byWords(text: string): string | undefined {
  const line = words[text];
  if (typeof line === 'string') return line;
  for (const { key, line, found } of patterns) {
    const [, ...parts] = found.exec(text) ?? [];
    if (parts.length > 0)
      return said(
        line,
        parts.map((part) => partOf(part, key.includes('{} bytes'))),
      );
  }
  return undefined;
}

/**
 * Translates a server's message by its text, a reason, or a code. Undefined if the original needs no
 * replacement.
 */
export function translate(text: string, { reason = '', code = '' } = {}): string | undefined {
  const line = reasons[reason] ?? codes[code];
  return byWords(text) ?? (line === undefined ? line : said(line, [/\d+/.exec(text)?.[0] ?? 'none']));
}
