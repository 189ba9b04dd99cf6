import { isUtf8 } from 'node:buffer';
import { invalid } from '../../errors.ts';
import { parseJson } from '../body.ts';

/** Maximum nesting of a payload, as in other bodies. */
const MAX_DEPTH = 32;

/**
 * Throws INVALID_REQUEST if a payload is nested too deeply. Its texts are not inspected: the message is, like any
 * other, and the rest of a payload is not used.
 */
export function requireShallow(value: unknown, depth = 1): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH)
    throw invalid('too_deep', '', `the body is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) for (const inner of value) requireShallow(inner, depth + 1);
  else for (const name in value) requireShallow((value as Record<string, unknown>)[name], depth + 1);
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Form fields that contain a payload as JSON: Slack's, and Discord's. */
const PAYLOAD_FIELDS = ['payload', 'payload_json'];

/**
 * Extracts the payload from a body: JSON of any media type; a form with JSON in one of its fields, or with
 * its own fields; text, as `{message}`. Throws INVALID_REQUEST.
 */
export async function payloadOf(type: string, body: Buffer): Promise<unknown> {
  // PowerShell and .NET put a byte order mark in front of text (RFC 8259, section 8.1: parsers may ignore it).
  const bytes = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
  const media = /^[^;\s]*/.exec(type.toLowerCase())?.[0] ?? '';
  if (media === 'multipart/form-data') return ofForm(await partsOf(type, bytes));
  const start = bytes.toString('latin1', 0, 64).trimStart()[0];
  if (media === 'application/x-www-form-urlencoded') {
    // By default, curl gives every body the media type of a form.
    if (start === '{') return parseJson(bytes);
    return bytes.includes('=') ? ofForm(fieldsOf(bytes)) : ofText(bytes);
  }
  if (media !== '' && !media.startsWith('text/')) return parseJson(bytes);
  return start === '{' ? jsonOr(bytes, ofText) : ofText(bytes);
}

function ofText(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('bad_encoding', '', 'the body must be text in UTF-8');
  return { message: bytes.toString('utf8') };
}

/** Falls back to text if a body that starts with a brace is not JSON. */
function jsonOr(bytes: Buffer, otherwise: (bytes: Buffer) => unknown): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return otherwise(bytes);
  }
}

/** The fields of a URL-encoded form. Throws INVALID_REQUEST if there are too many: all are decoded at once. */
function fieldsOf(bytes: Buffer): URLSearchParams {
  let fields = 1;
  for (let at = bytes.indexOf('&'); at !== -1; at = bytes.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS)
      throw invalid('bad_form', '', `the form must have at most ${MAX_FIELDS} fields`);
  return new URLSearchParams(bytes.toString('utf8'));
}

function ofForm(form: URLSearchParams | FormData): unknown {
  for (const field of PAYLOAD_FIELDS) {
    const payload = form.get(field);
    if (typeof payload === 'string') return parseJson(Buffer.from(payload));
  }
  return Object.fromEntries(form);
}

/** Maximum fields of a URL-encoded form. A Slack payload with unencoded ampersands has a few hundred. */
const MAX_FIELDS = 1_000;
/** Maximum parts of a multipart form. Programs send fewer than ten. */
const MAX_PARTS = 100;

/** The fields of a multipart form. Files in it are ignored. */
async function partsOf(type: string, bytes: Buffer): Promise<FormData> {
  // Thousands of parts would block the event loop, because they are parsed at once.
  const parts = bytes.toString('latin1').toLowerCase().split('content-disposition').length - 1;
  if (parts > MAX_PARTS) throw invalid('bad_form', '', `the form must have at most ${MAX_PARTS} parts`);
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw invalid('bad_form', '', 'the body is not a valid form');
  }
}
