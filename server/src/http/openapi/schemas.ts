import type { TSchema } from 'typebox';
import { errorSchema } from '../../operations/schemas.ts';

/** Named schemas of the document, by their names. */
export type Schemas = ReadonlyMap<string, TSchema>;

const nameOf = (schema: unknown): string | undefined => (schema as { $id?: string }).$id;

/** The title of a record, under which the document keeps it. */
export const titleOf = (schema: TSchema): string => (schema as { title?: string }).title as string;

/** Every schema with a name, among these and inside them. Throws an Error where two have the same name. */
export function namedSchemas(schemas: Iterable<TSchema>): Schemas {
  const named = new Map<string, TSchema>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const name = nameOf(part);
    if (name !== undefined) {
      const known = named.get(name);
      if (known === part) return;
      if (known) throw new Error(`two schemas have the name ${name}`);
      named.set(name, part as TSchema);
    }
    for (const child of Object.values(part)) collect(child);
  };
  collect(errorSchema);
  for (const schema of schemas) collect(schema);
  return named;
}

/** A schema as the document has it: a reference wherever one with a name stands in it. */
export function documented(schema: TSchema): object {
  return JSON.parse(JSON.stringify(schema), function (this: unknown, _key, value) {
    const name = typeof value === 'object' && value !== null ? nameOf(value) : undefined;
    return name === undefined ? value : { $ref: `#/components/schemas/${name}` };
  });
}

/** A schema with a name, in full. */
export function definition(schema: TSchema): object {
  const { $id: _name, ...rest } = JSON.parse(JSON.stringify(schema));
  return documented(rest);
}
