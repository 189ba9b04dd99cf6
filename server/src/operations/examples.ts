import { hash } from 'node:crypto';
import type { TSchema } from 'typebox';
import type { WriteOperation } from './write.ts';

/** The time in all examples: the start of March 2026, in ms since the Unix epoch. */
export const SAMPLE_TIME = 1_772_323_200_000;

/** The event id in all examples. */
export const SAMPLE_EVENT_ID = 'AAECAwQFAAAAAAAqmZqbnAECAwQ';

/**
 * Returns the id of a `noun` in examples. It is always the same, so that a `channelId` matches the `id` of
 * the example channel.
 */
export function sampleId(noun: string): string {
  const time = SAMPLE_TIME.toString(16).padStart(12, '0');
  const random = hash('sha256', noun, 'hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

/** The nouns of reference fields whose names do not contain the noun. */
const nounsOfFields: Record<string, string> = {
  creatorId: 'user',
  actorId: 'user',
  replyToId: 'answered message',
};

/**
 * Returns the noun that a field refers to: `channel` for `channelId` and `channelIds`. Undefined if it is not
 * a reference.
 */
export const nounOf = (name: string): string | undefined =>
  nounsOfFields[name] ?? /^(\w+?)Ids?$/.exec(name)?.[1];

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  examples?: unknown[];
  minimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/**
 * Returns an example for a schema, built from the examples of its fields. Its `id` is the `sampleId` of
 * `noun`. `named` contains the schemas it may reference with `$ref`.
 */
export function exampleOf(
  given: TSchema,
  noun: string,
  named: ReadonlyMap<string, TSchema> = new Map(),
): object {
  const example = (schema: Schema, name: string, noun: string): unknown => {
    if (schema.examples) return schema.examples[0];
    const target = schema.$ref && named.get(schema.$ref.replace('#', ''));
    if (target) return example(target as Schema, name, noun);
    const types = [schema.type].flat();
    if (types.includes('null')) return null;
    if (schema.enum) return schema.enum[0];
    if (schema.items) return [example(schema.items, name, name.replace(/s$/, ''))];
    const { properties } = schema;
    if (properties) {
      return Object.fromEntries(
        Object.entries(properties).map(([field, type]) => [
          field,
          example(type, field, type.properties ? field : noun),
        ]),
      );
    }
    if (types[0] === 'boolean') return false;
    if (types[0] === 'integer') return schema.minimum ?? 0;
    const referred = name === 'id' ? noun : nounOf(name);
    return referred === undefined ? `A ${name}` : sampleId(referred);
  };
  return example(given as Schema, '', noun) as object;
}

/**
 * Returns example bodies for a write, by name. They come from the write's row. If the row has none, returns
 * one example with the required fields and those optional fields that are not references.
 */
export function bodyExamples({
  body,
  examples,
  tag,
}: Pick<WriteOperation, 'body' | 'examples' | 'tag'>): Record<string, object> {
  if (!body || examples) return examples ?? {};
  const required = new Set(body.required as string[] | undefined);
  const fields = Object.entries(exampleOf(body, tag)).filter(
    ([name, value]) => required.has(name) || (value !== null && name !== 'id' && !nounOf(name)),
  );
  return { Example: Object.fromEntries(fields) };
}
