import type { TSchema } from 'typebox';
import { errorSchema } from '../../operations/schemas.ts';

/** Schemas by name. */
export type Schemas = ReadonlyMap<string, TSchema>;

const nameOf = (schema: unknown): string | undefined => (schema as { $id?: string }).$id;

/** Returns the title of a record, which is its name in the document. */
export const titleOf = (schema: TSchema): string => (schema as { title?: string }).title as string;

/**
 * Returns all schemas with an `$id`, including nested ones. Throws an Error if two of them share an `$id`.
 */
export function namedSchemas(schemas: Iterable<TSchema>): Schemas {
  const named = new Map<string, TSchema>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const name = nameOf(part);
    if (name !== undefined) {
      const existing = named.get(name);
      if (existing === part) return;
      if (existing) throw new Error(`two schemas have the name ${name}`);
      named.set(name, part as TSchema);
    }
    for (const child of Object.values(part)) collect(child);
  };
  collect(errorSchema);
  for (const schema of schemas) collect(schema);
  return named;
}

/** Returns a schema for the document, with references in place of named schemas. */
export function documented(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema), function (this: unknown, _key, value) {
    if (typeof value !== 'object' || value === null) return value;
    const name = nameOf(value);
    return name === undefined ? withoutNullInEnum(value) : { $ref: `#/components/schemas/${name}` };
  });
}

/**
 * Turns an enum with null into a union. An enum with null is valid, but openapi-zod-client generates code for
 * it that does not compile.
 */
function withoutNullInEnum(schema: { enum?: unknown; type?: unknown }): object {
  const { enum: values, type, ...rest } = schema;
  if (!Array.isArray(values) || !Array.isArray(type) || !values.includes(null)) return schema;
  const [words] = type.filter((each) => each !== 'null');
  return {
    ...rest,
    anyOf: [{ type: words, enum: values.filter((value) => value !== null) }, { type: 'null' }],
  };
}

/** Returns the definition of a named schema. */
export function definition(schema: TSchema): object {
  const { $id: _name, ...rest } = JSON.parse(JSON.stringify(schema));
  return documented(rest);
}
