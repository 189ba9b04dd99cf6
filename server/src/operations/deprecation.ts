import type { TObject, TSchema } from 'typebox';
import type { Deprecation, Described } from './operation.ts';
import { querySchemaOf } from './schemas.ts';

/** A deprecated operation, field or parameter that a request uses: `pinInsert`, or `pinInsert.note`. */
export interface DeprecatedUse {
  name: string;
  deprecation: Deprecation;
}

/** Returns the annotation that `deprecated` in `fields.ts` adds to a schema. */
const deprecationOf = (schema: TSchema): Deprecation | undefined =>
  (schema as { 'x-deprecation'?: Deprecation })['x-deprecation'];

/**
 * Returns a function that finds the deprecated features that a request uses. Undefined if the operation has
 * none.
 */
export function deprecatedUses(
  operation: Described,
): ((query: unknown, body: unknown) => DeprecatedUse[]) | undefined {
  const { deprecated } = operation;
  const whole = deprecated ? [{ name: operation.operation, deprecation: deprecated }] : [];
  const inQuery = fieldsIn(operation, querySchemaOf(operation));
  const inBody = fieldsIn(operation, operation.body);
  if (whole.length + inQuery.size + inBody.size === 0) return undefined;
  return (query, body) => [...whole, ...usedIn(query, inQuery), ...usedIn(body, inBody)];
}

/** Returns the deprecated fields of a schema, by name. */
function fieldsIn({ operation }: Described, schema: TObject | undefined): Map<string, DeprecatedUse> {
  const found = new Map<string, DeprecatedUse>();
  for (const [field, property] of Object.entries(schema?.properties ?? {})) {
    const deprecation = deprecationOf(property);
    if (deprecation) found.set(field, { name: `${operation}.${field}`, deprecation });
  }
  return found;
}

const usedIn = (given: unknown, fields: ReadonlyMap<string, DeprecatedUse>): DeprecatedUse[] =>
  [...fields].filter(([field]) => Object.hasOwn(Object(given), field)).map(([, use]) => use);

/** Returns the deprecation notice for the OpenAPI document. */
export const deprecationWords = ({ since, sunset, use }: Deprecation): string =>
  `**Deprecated** since ${since}; may be removed from ${sunset}${use ? `. Use \`${use}\` instead` : ''}.`;
