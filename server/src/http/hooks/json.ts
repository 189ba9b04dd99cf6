import { invalid } from '../../errors.ts';
import { MAX_BODY_BYTES, parseJson } from '../body.ts';

/**
 * Limits for a large body, above which parsing would block the event loop. Distinct names are the most
 * expensive. For comparison, 1 MiB of alerts has about 50,000 fields with a few dozen names, and 7,000
 * objects.
 */
const MAX_NAMES = 5_000;
const MAX_FIELDS = 80_000;
const MAX_OBJECTS = 15_000;
const FIELD = /"\s*:/g;
/** Matches the start of an object or an array. In strings, brackets rarely occur where a value could start. */
const OBJECT = /(?<=[[,:])\s*[[{]/g;

/** Matches text that may contain an integer beyond 2^53 as a value. */
const LONG_INTEGER = /[[:,\s]-?\d{16,}\s*[,\]}]/;
/** Matches a string or a long number in valid JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[-+.eE\d]{16,}/g;

/**
 * Parses a payload. Integers beyond 2^53, such as ids, become strings, because numbers would be rounded, and
 * a message shows only their digits. In bodies larger than the API's limit, they are rounded anyway, because
 * the conversion would block the event loop. Throws INVALID_REQUEST.
 */
export function payloadIn(bytes: Buffer): unknown {
  if (bytes.length > MAX_BODY_BYTES) requireFewValues(bytes.toString('latin1'));
  const payload = parseJson(bytes);
  if (bytes.length > MAX_BODY_BYTES) return payload;
  const text = bytes.toString('utf8');
  return LONG_INTEGER.test(text) ? JSON.parse(text.replace(TOKEN, asText)) : payload;
}

const asText = (token: string): string =>
  /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;

function requireFewValues(text: string): void {
  let objects = 0;
  OBJECT.lastIndex = 0;
  while (OBJECT.test(text)) if (++objects > MAX_OBJECTS) throw tooMany(MAX_OBJECTS, 'objects and arrays');
  const names = new Set<string>();
  let fields = 0;
  FIELD.lastIndex = 0;
  for (let field = FIELD.exec(text); field; field = FIELD.exec(text)) {
    const { index } = field;
    names.add(text.slice(Math.max(text.lastIndexOf('"', index - 1), index - MAX_NAME) + 1, index));
    if (names.size > MAX_NAMES) throw tooMany(MAX_NAMES, 'distinct field names');
    if (++fields > MAX_FIELDS) throw tooMany(MAX_FIELDS, 'fields');
  }
}

/** Names are compared up to this many characters. */
const MAX_NAME = 40;

const tooMany = (most: number, what: string) =>
  invalid('too_many', '', `the body must have at most ${most} ${what}`);
