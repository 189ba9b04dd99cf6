import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import type { Answer, ListKind } from './operation.ts';
import { envelopeOf } from './schemas.ts';

type Stringify = (answer: object) => string;

const compiled = new WeakMap<TSchema, Map<ListKind | undefined, Stringify>>();

/**
 * A response envelope as JSON (decisions, part 1). Fields that the schema lacks are left out. Each schema
 * is compiled on its first response: compiling all of them would more than double the startup time.
 */
export function textOf(schema: TSchema, list: ListKind | undefined, answer: Answer): string | Uint8Array {
  const text = answer.text ?? stringifyOf(schema, list)({ ok: true, ...answer });
  if (!answer.expanded) return text;
  const bytes = Buffer.from(text as Uint8Array);
  return Buffer.concat([
    bytes.subarray(0, -1),
    Buffer.from(`,"expanded":${JSON.stringify(answer.expanded)}}`),
  ]);
}

function stringifyOf(schema: TSchema, list: ListKind | undefined): Stringify {
  const ofSchema = compiled.get(schema) ?? new Map<ListKind | undefined, Stringify>();
  compiled.set(schema, ofSchema);
  let stringify = ofSchema.get(list);
  if (!stringify) {
    // Ids are removed, because a record that occurs twice in the schema would define its `$id` twice.
    const plain = JSON.parse(JSON.stringify(envelopeOf(schema, list, true)), (key, value) =>
      key === '$id' ? undefined : value,
    );
    stringify = fastJsonStringify(plain) as Stringify;
    ofSchema.set(list, stringify);
  }
  return stringify;
}
