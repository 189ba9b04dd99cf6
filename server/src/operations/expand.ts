import type { TObject, TSchema } from 'typebox';
import { invalid } from '../errors.ts';

/** The fields that refer to a user, by the value of `expand` that selects them. */
const fieldOf = { creator: 'creatorId', user: 'userId', actor: 'actorId' } as const;

/** An allowed value of the parameter `expand`. */
type Word = keyof typeof fieldOf;

/** Maximum expanded users per response: two for each record in a page. */
const MAX_USERS = 200;

/** Returns the `expand` words that apply to a record with this schema. */
export const wordsFor = (record: TSchema): readonly Word[] =>
  (Object.keys(fieldOf) as Word[]).filter(
    (word) => (record as TObject).properties?.[fieldOf[word]] !== undefined,
  );

/** Returns the fields to expand. Throws INVALID_REQUEST for a word that is not in `words`. */
export function fieldsIn(expand: string, words: readonly Word[]): readonly string[] {
  const wanted = expand.split(',') as Word[];
  if (!wanted.every((word) => words.includes(word)))
    throw invalid(
      'unknown_value',
      'expand',
      `must be one or more of ${words.join(', ')}, separated by commas`,
    );
  return wanted.map((word) => fieldOf[word]);
}

/** Returns the first `MAX_USERS` users that these fields refer to, in records and their nested records. */
export function usersIn(records: readonly unknown[], fields: readonly string[]): string[] {
  const ids = new Set<string>();
  const look = (thing: unknown, depth: number): void => {
    if (typeof thing !== 'object' || thing === null) return;
    for (const [name, value] of Object.entries(thing)) {
      if (typeof value === 'string') {
        if (fields.includes(name)) ids.add(value);
      } else if (depth > 0) {
        for (const each of Array.isArray(value) ? value : [value]) look(each, depth - 1);
      }
    }
  };
  for (const record of records) look(record, 1);
  return [...ids].slice(0, MAX_USERS);
}
