import fastJsonStringify from 'fast-json-stringify';
import type { TObject, TSchema } from 'typebox';
import { Joined } from './joined.ts';
import type { Answer, ListKind } from './operation.ts';
import { envelopeOf } from './schemas.ts';

type Stringify = (answer: object) => string;

const compiled = new WeakMap<TSchema, Map<ListKind | undefined, Stringify>>();

/**
 * Serializes a response envelope as JSON (decisions, part 1). Omits fields that are not in the schema. Each
 * schema is compiled on its first response, because compiling all of them would more than double the startup
 * time.
 */
export function textOf(schema: TSchema, list: ListKind | undefined, answer: Answer): string | Uint8Array {
  const { data } = answer;
  if (data instanceof Joined) {
    const rest = restOf(schema, data);
    return data.shared ? Buffer.concat([data.shared.bytes, Buffer.from(rest)]) : rest;
  }
  const text = answer.text ?? stringifyOf(schema, list)({ ok: true, ...answer });
  if (!answer.expanded) return text;
  const bytes = Buffer.from(text as Uint8Array);
  return Buffer.concat([
    bytes.subarray(0, -1),
    Buffer.from(`,"expanded":${JSON.stringify(answer.expanded)}}`),
  ]);
}

/** Returns the text of a response after its shared part, or the whole text if there is no shared part. */
export function restOf(schema: TSchema, { shared, rows, rest }: Joined): string {
  const text = shared
    ? `${plainStringify(schema, shared.fields)(rest).slice(1)}}`
    : stringifyOf(schema, undefined)({ ok: true, data: rest });
  if (!rows) return text;
  // Quotation marks in values are escaped, so this finds only a field.
  const place = text.indexOf(`"${rows.field}":[]`) + rows.field.length + 4;
  return text.slice(0, place) + rows.text + text.slice(place);
}

const withoutFields = new WeakMap<TSchema, Map<string, Stringify>>();

/** Returns the serializer of a schema without some of its fields. */
function plainStringify(schema: TSchema, without: readonly string[]): Stringify {
  const ofSchema = withoutFields.get(schema) ?? new Map<string, Stringify>();
  withoutFields.set(schema, ofSchema);
  const key = without.join();
  let stringify = ofSchema.get(key);
  if (!stringify) {
    const { properties, ...rest } = schema as TObject;
    const left = Object.entries(properties).filter(([name]) => !without.includes(name));
    stringify = compile({
      ...rest,
      properties: Object.fromEntries(left),
      required: left.map(([name]) => name),
    });
    ofSchema.set(key, stringify);
  }
  return stringify;
}

/** Compiles the serializer of a schema. */
export const compile = (schema: object): Stringify =>
  // Ids are removed, because a record that occurs twice in the schema would define its `$id` twice. Unions
  // are serialized without a schema, because choosing a variant would require validating each value.
  fastJsonStringify(
    JSON.parse(JSON.stringify(schema), (key, value) =>
      key === '$id' ? undefined : value?.oneOf ? {} : value,
    ),
  ) as Stringify;

function stringifyOf(schema: TSchema, list: ListKind | undefined): Stringify {
  const ofSchema = compiled.get(schema) ?? new Map<ListKind | undefined, Stringify>();
  compiled.set(schema, ofSchema);
  let stringify = ofSchema.get(list);
  if (!stringify) {
    stringify = compile(envelopeOf(schema, list, true));
    ofSchema.set(list, stringify);
  }
  return stringify;
}
