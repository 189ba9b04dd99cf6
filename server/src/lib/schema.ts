import type typebox from 'typebox';
import type { Static, TProperties, TSchema } from 'typebox';

type Builders = Pick<
  typeof typebox,
  'Array' | 'Boolean' | 'Integer' | 'Object' | 'Optional' | 'String' | 'Unsafe'
>;

const optional = new WeakSet<TSchema>();

/**
 * Makes JSON schemas that have the types of typebox. Of typebox there are only the types: it is 373 modules, which
 * would take a fifth of the start and 13 MB.
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

/** A field whose value is for people, and may differ in any version: the documents say so. */
export const unstable = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S>>({ ...schema, 'x-stability': 'none' });
