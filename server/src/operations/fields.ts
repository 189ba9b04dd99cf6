import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Type } from '../lib/schema.ts';
import { SAMPLE_TIME } from './examples.ts';
import type { Deprecation } from './operation.ts';

/** Schemas of the fields in records and bodies, with the limits from decisions, part 2. */

interface TextOptions {
  min?: number;
  max: number;
  description?: string;
  examples?: string[];
}

/** The pattern of text that must not be blank. */
export const NOT_BLANK = '\\S';

/**
 * Creates the schema of text with `min` to `max` characters. If `min` is above 0, blank text is rejected. In
 * bodies, so is text without a visible character.
 */
export const text = ({ min = 0, max, ...options }: TextOptions) =>
  Type.String({ ...(min > 0 ? { minLength: min, pattern: NOT_BLANK } : {}), maxLength: max, ...options });

export const MAX_NAME_CHARACTERS = 100;

/**
 * Marks text that is displayed as a name. This is a symbol, so that the mark does not appear in the OpenAPI
 * document.
 */
const shownAsName = Symbol('shown as a name');

/** Requires text in a body to be a valid name (`lib/names.ts`), and stores it in NFC. */
export const named = <S extends TSchema>(schema: S): S => ({ ...schema, [shownAsName]: true });

/** Returns the fields of a body that are names, each with its bounds in characters. */
export const namesIn = ({ properties }: TObject): { field: string; min: number; max: number }[] =>
  Object.entries(properties).flatMap(([field, schema]) => {
    const { minLength: min = 0, maxLength: max = MAX_NAME_CHARACTERS } = schema as {
      minLength?: number;
      maxLength?: number;
    };
    return shownAsName in schema ? [{ field, min, max }] : [];
  });

export const name = (description?: string, example = 'General') =>
  named(
    text({
      min: 1,
      max: MAX_NAME_CHARACTERS,
      examples: [example],
      ...(description ? { description } : {}),
    }),
  );

export const longText = (description?: string, example?: string) =>
  text({ max: 4000, ...(example ? { examples: [example] } : {}), ...(description ? { description } : {}) });

/** The start of a web page's URL. */
export const WEB_URL = '^[hH][tT][tT][pP][sS]?://';
/** The start of a picture's URL, or of a path on this server. */
export const PICTURE_ADDRESS = '^([hH][tT][tT][pP][sS]?:/)?/';

export const webUrl = (description?: string) =>
  Type.String({
    format: 'uri',
    pattern: WEB_URL,
    maxLength: 2048,
    examples: ['https://example.com/picture.png'],
    ...(description ? { description } : {}),
  });

/**
 * Creates the schema of a picture's address in records: an external URL, or the path of an uploaded picture.
 */
export const pictureAddress = (description?: string) =>
  Type.String({
    pattern: PICTURE_ADDRESS,
    maxLength: 2048,
    description: `${description ? `${description}: a` : 'A'} URL, or the path of an uploaded image below the server's address: /api/v1/pictures/…`,
    examples: ['https://example.com/picture.png'],
  });

/**
 * Creates the schema of an id in a request. Accepts any text, because an id that is not a UUID results in
 * NOT_FOUND instead of INVALID_REQUEST.
 */
export const reference = (description?: string) =>
  Type.String({
    maxLength: 1000,
    ...(description ? { description } : {}),
  });

/** Creates the schema of an id in a response: a UUIDv7. */
export const id = (description?: string) =>
  Type.String({
    format: 'uuid',
    ...(description ? { description } : {}),
  });

/** Creates the schema of a time in milliseconds since the Unix epoch. */
export const time = (description?: string) =>
  Type.Integer({
    format: 'int64',
    minimum: 0,
    maximum: 8_640_000_000_000_000,
    'x-unit': 'milliseconds',
    examples: [SAMPLE_TIME],
    ...(description ? { description } : {}),
  });

export const flag = (description?: string, example = false) =>
  Type.Boolean({ examples: [example], ...(description ? { description } : {}) });

export const count = (description?: string, example = 0) =>
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    examples: [example],
    ...(description ? { description } : {}),
  });

/** Creates the schema of a size in bytes. */
export const size = (description: string, minimum = 0, example = 1_048_576) =>
  Type.Integer({
    ...{ minimum, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' },
    ...{ description, examples: [example] },
  });

/** Creates the schema of an enum. Clients and linters handle enums better than unions. */
export const oneOf = <const V extends readonly string[]>(values: V, description?: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...(description ? { description } : {}) });

interface Nullable {
  type: string;
  enum?: unknown[];
  examples?: unknown[];
}

/**
 * Returns a schema that also allows null. Keeps the schema's examples if it describes a string or an object,
 * unless `example` replaces them.
 */
export function nullable<S extends TSchema>(schema: S, example?: Static<S>) {
  const { type, enum: values, examples, ...rest } = schema as unknown as Nullable;
  const kept =
    example !== undefined ? [example] : type === 'string' || type === 'object' ? examples : undefined;
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(kept && { examples: kept }),
    ...(values ? { enum: [...values, null] } : {}),
  });
}

export const optional = Type.Optional;

/** Marks a field or parameter as deprecated. Wrap it in `optional`. */
export const deprecated = <S extends TSchema>(schema: S, deprecation: Deprecation) =>
  Type.Unsafe<Static<S>>({ ...schema, deprecated: true, 'x-deprecation': deprecation });

/** Creates the schema of any JSON value. */
export const json = (description: string, example: unknown) =>
  Type.Unsafe<unknown>({ description, examples: [example] });

/** Creates the schema of a request body, in which unknown fields are ignored. */
export const body = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: true });

/**
 * Creates the schema of a record in a response, with `id`, its own fields, `createdAt` and `updatedAt`.
 * `title` is its name in the documents.
 */
export const record = <P extends TProperties>(title: string, properties: P) =>
  Type.Object(
    {
      id: id(),
      ...properties,
      createdAt: time('When the record was created'),
      updatedAt: time('When the record was last changed'),
    },
    { $id: title, title, additionalProperties: false },
  );
