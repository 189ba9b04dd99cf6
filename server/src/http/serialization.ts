import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/**
 * Compiles what writes an answer when the first one is written: all of them at the start would take longer than the
 * rest of it. Fields that a schema lacks do not leave the server. `records` are the schemas that answers refer to.
 */
export function serializerCompiler(records: readonly TSchema[]): FastifySerializerCompiler<TSchema> {
  const named = new Map(records.map((schema) => [(schema as { $id?: string }).$id as string, schema]));
  return ({ schema }) => {
    let stringify: ((data: unknown) => string) | undefined;
    return (data) => {
      stringify ??= fastJsonStringify(schema as never, {
        schema: Object.fromEntries(referred(schema, named)) as never,
      });
      return stringify(data);
    };
  };
}

/** The schemas that `schema` refers to, and those that they refer to. */
function referred(schema: TSchema, named: ReadonlyMap<string, TSchema>, found = new Map<string, TSchema>()) {
  for (const [, name] of JSON.stringify(schema).matchAll(/"\$ref":"(\w+)#"/g)) {
    const target = named.get(name as string);
    if (!target || found.has(name as string)) continue;
    found.set(name as string, target);
    referred(target, named, found);
  }
  return found;
}
