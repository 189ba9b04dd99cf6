import { isId } from '../../lib/deps.ts';
import { ArchiveRefused } from '../row.ts';

/** The maximum time in ms, which is also the limit for numbers. */
const MOST = 8_640_000_000_000_000;
const MAX_MEMBERS = 100_000;

/**
 * Reads the fields of a row in an export. Throws ArchiveRefused for a field with a wrong type. `place`
 * identifies the line.
 */
export function fieldsOf(row: unknown, place: string) {
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new ArchiveRefused(`${place} is not a JSON object`);
  const values = row as Record<string, unknown>;
  const need = <T>(name: string, is: (value: unknown) => value is T, what: string): T => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!is(value)) throw new ArchiveRefused(`${place}: ${name} must be ${what}`);
    return value;
  };
  const isText = (value: unknown): value is string => typeof value === 'string';
  const isAnId = (value: unknown): value is string => isText(value) && isId(value);
  const isNumber = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MOST;
  const isNull = (value: unknown): value is null => value === null;
  const isIds = (value: unknown): value is string[] =>
    Array.isArray(value) && value.length <= MAX_MEMBERS && value.every(isAnId);
  return {
    id: (name: string) => need(name, isAnId, 'an id'),
    idOrNull: (name: string) =>
      need(name, (value): value is string | null => isNull(value) || isAnId(value), 'an id or null'),
    ids: (name: string) => need(name, isIds, 'a list of ids'),
    text: (name: string) => need(name, isText, 'a text'),
    textOrNull: (name: string) =>
      need(name, (value): value is string | null => isNull(value) || isText(value), 'a text or null'),
    time: (name: string) => need(name, isNumber, 'a whole number'),
    timeOrNull: (name: string) =>
      need(
        name,
        (value): value is number | null => isNull(value) || isNumber(value),
        'a whole number or null',
      ),
    flag: (name: string) =>
      need(name, (value): value is boolean => typeof value === 'boolean', 'true or false'),
    oneOf: <const V extends string>(name: string, options: readonly V[]) =>
      need(name, (value): value is V => options.includes(value as V), `one of ${options.join(', ')}`),
  };
}

export type Fields = ReturnType<typeof fieldsOf>;
