import fastJsonStringify from 'fast-json-stringify';
import type { TSchema } from 'typebox';
import type { Answer, ListKind } from './operation.ts';
import { envelopeOf } from './schemas.ts';

type Stringify = (answer: object) => string;

const compiled = new WeakMap<TSchema, Map<ListKind | undefined, Stringify>>();

/**
 * An answer in its envelope, as JSON (decisions, part 1). Fields that the schema lacks do not leave the server. Each schema is
 * compiled when its first answer is written: all of them at the start would take longer than the rest of it.
 */
export function textOf(schema: TSchema, list: ListKind | undefined, answer: Answer): string | Uint8Array {
  return answer.text ?? stringifyOf(schema, list)({ ok: true, ...answer });
}

function stringifyOf(schema: TSchema, list: ListKind | undefined): Stringify {
  const ofSchema = compiled.get(schema) ?? new Map<ListKind | undefined, Stringify>();
  compiled.set(schema, ofSchema);
  let stringify = ofSchema.get(list);
  if (!stringify) {
    // An identifier within would make two schemas of one name of a record that stands in it twice.
    const plain = JSON.parse(JSON.stringify(envelopeOf(schema, list)), (key, value) =>
      key === '$id' ? undefined : value,
    );
    stringify = fastJsonStringify(plain) as Stringify;
    ofSchema.set(list, stringify);
  }
  return stringify;
}
