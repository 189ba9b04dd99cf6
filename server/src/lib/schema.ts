import type typebox from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';

type Builders = Pick<
  typeof typebox,
  'Array' | 'Boolean' | 'Integer' | 'Object' | 'Optional' | 'String' | 'Unsafe'
>;

const optional = new WeakSet<TSchema>();

/**
 * Builds JSON schemas with typebox's types. Only the types are imported: typebox's 373 modules would make
 * startup a fifth slower and take 13 MB of memory.
 */
export const Type = {
  String: (options?: object) => ({ type: 'string', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
  Optional(schema: TSchema) {
    const copy = { ...schema };
    optional.add(copy);
    return copy;
  },
  Object(properties: TProperties, options?: object) {
    const required = Object.keys(properties).filter((name) => !optional.has(properties[name] as TSchema));
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
} as unknown as Builders;

/** Marks a human-readable field, whose value may change in any version. The documentation mentions this. */
export const unstable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S>>({ ...schema, 'x-stability': 'none' });
