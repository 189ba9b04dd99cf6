import type { TObject } from 'typebox';
import type { Described } from './operation.ts';
import { querySchemaOf } from './schemas.ts';

/** Maximum names to list. Further names are only counted. */
const MAX_LISTED_NAMES = 20;
const MAX_NAME_CHARACTERS = 64;

/**
 * Returns a function that builds the `Ignored-Parameters` header from the unknown body fields and query
 * parameters of a request.
 */
export function ignoredParameters(
  operation: Described,
): (query: unknown, body: unknown) => string | undefined {
  const knownQuery = new Set(namesOf(querySchemaOf(operation)));
  // The body of an update or delete may repeat the id in the path.
  const knownBody = new Set([...namesOf(operation.body), ...(operation.path.includes(':') ? ['id'] : [])]);
  return (givenQuery, givenBody) => {
    const [inQuery, inBody] = [unknownNames(givenQuery, knownQuery), unknownNames(givenBody, knownBody)];
    // If all names are known, no list of unknown names is built: that would take longer than the check.
    return inQuery === none && inBody === none ? undefined : headerText([...inQuery, ...inBody]);
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
  const listed = names
    .slice(0, MAX_LISTED_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_CHARACTERS).toWellFormed()));
  const rest = names.length - listed.length;
  return listed.join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}
