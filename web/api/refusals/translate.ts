import { refusals } from '../../strings/en/refusals.ts';
import { serverSettings } from '../../strings/en/serverSettings.ts';

const { words, reasons, codes, names } = refusals;
const { flags } = serverSettings;

/** The lines for words with parts, each with what finds them. */
const patterns = Object.entries(words).flatMap(([key, line]) =>
  typeof line === 'string' ? [] : [{ line, found: patternOf(key) }],
);

function patternOf(key: string): RegExp {
  const fixed = key.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${fixed.join('(.+?)')}$`, 's');
}

/** A part of what the server says: flags of permissions by the names that people know. */
function partOf(text: string): string {
  const found = text.split(/, | or /).map((flag) => flags[flag as keyof typeof flags]?.name);
  return found.every((name) => name !== undefined) ? names(found) : text;
}

/** What the server says in words, in the language of the page; undefined if the list does not have it. */
function byWords(text: string): string | undefined {
  const line = words[text];
  if (typeof line === 'string') return line;
  for (const { line, found } of patterns) {
    const [, ...parts] = found.exec(text) ?? [];
    if (parts.length > 0) return line(...parts.map(partOf));
  }
  return undefined;
}

/** What the server says, in the language of the page: by its words, by a reason, or by a code. Undefined where it is best as it is. */
export function translate(text: string, { reason = '', code = '' } = {}): string | undefined {
  const line = byWords(text) ?? reasons[reason] ?? codes[code];
  return typeof line === 'function' ? line(/\d+/.exec(text)?.[0] ?? '') : line;
}
