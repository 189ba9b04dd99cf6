import type { TObject } from 'typebox';
import type { Described } from './operation.ts';
import { querySchemaOf } from './schemas.ts';

/** Names more than this are counted, not listed. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 64;

/** Makes the function that finds a request's unknown body fields and query parameters, for `Ignored-Parameters`. */
export function ignoredParameters(
  operation: Described,
): (query: unknown, body: unknown) => string | undefined {
  const knownQuery = new Set(namesOf(querySchemaOf(operation)));
  // An update or delete may repeat the id of its path.
  const knownBody = new Set([...namesOf(operation.body), ...(operation.path.includes(':') ? ['id'] : [])]);
  return (givenQuery, givenBody) => {
    const ignored = [...unknownNames(givenQuery, knownQuery), ...unknownNames(givenBody, knownBody)];
    return ignored.length > 0 ? headerText(ignored) : undefined;
  };
}

const none: readonly string[] = [];

function unknownNames(given: unknown, known: ReadonlySet<string>): readonly string[] {
  if (typeof given !== 'object' || given === null) return none;
  const names = Object.keys(given);
  return names.every((name) => known.has(name)) ? none : names.filter((name) => !known.has(name));
}

const namesOf = (schema: TObject | undefined): string[] => Object.keys(schema?.properties ?? {});

function headerText(names: string[]): string {
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()));
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}
