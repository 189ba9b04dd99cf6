import { isUtf8 } from 'node:buffer';
import { invalid } from '../../errors.ts';
import { parseJson } from '../body.ts';

/** Form fields that contain a payload as JSON: Slack's, and Discord's. */
const PAYLOAD_FIELDS = ['payload', 'payload_json'];

/**
 * Extracts the payload from a body: JSON of any media type; a form with JSON in one of its fields, or with
 * its own fields; text, as `{message}`. Throws INVALID_REQUEST.
 */
export async function payloadOf(type: string, bytes: Buffer): Promise<unknown> {
  const media = /^[^;\s]*/.exec(type.toLowerCase())?.[0] ?? '';
  if (media === 'multipart/form-data') return ofForm(await partsOf(type, bytes));
  const start = bytes.toString('latin1', 0, 64).trimStart()[0];
  if (media === 'application/x-www-form-urlencoded') {
    // By default, curl gives every body the media type of a form.
    if (start === '{') return parseJson(bytes);
    return bytes.includes('=') ? ofForm(new URLSearchParams(bytes.toString('utf8'))) : ofText(bytes);
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

function ofForm(form: URLSearchParams | FormData): unknown {
  for (const field of PAYLOAD_FIELDS) {
    const payload = form.get(field);
    if (typeof payload === 'string') return parseJson(Buffer.from(payload));
  }
  return Object.fromEntries(form);
}

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
