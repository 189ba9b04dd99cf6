import { invalid } from '../errors.ts';

/** Levels of lists and objects in a body, or in a JSON value of a command, at most. */
export const MAX_DEPTH = 32;

/** Throws INVALID_REQUEST if the value contains U+0000, an unpaired surrogate, or too many levels of nesting. */
export function inspect(value: unknown, path: string, depth = 1): void {
  if (typeof value === 'string') inspectText(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw invalid('too_deep', '', `the body is nested more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inspect(value[index], `${path}[${index}]`, depth + 1);
    return;
  }
  for (const key of Object.keys(value)) {
    inspectText(key, path);
    inspect((value as Record<string, unknown>)[key], path === '' ? key : `${path}.${key}`, depth + 1);
  }
}

function inspectText(text: string, path: string): void {
  if (text.includes('\0')) throw invalid('bad_text', path, 'must not contain U+0000');
  if (!text.isWellFormed()) throw invalid('bad_text', path, 'must not contain an unpaired surrogate');
}
