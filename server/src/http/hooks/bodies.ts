import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../../errors.ts';
import { eventOf } from './cloudEventHeaders.ts';
import { payloadIn } from './json.ts';

/** Maximum nesting of a payload, as in other bodies. */
const MAX_DEPTH = 32;

/**
 * Throws INVALID_REQUEST if a payload is nested too deeply, or contains U+0000 or an unpaired surrogate
 * anywhere (decisions, part 1), even in fields that do not appear in the message. Unlike `inspect` for other
 * bodies, it does not track the path, because a payload may have hundreds of thousands of values.
 */
export function requireSound(value: unknown, depth = 1): void {
  if (typeof value === 'string') requireText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH)
    throw invalid('too_deep', '', `the body is nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) {
    for (const inner of value) requireSound(inner, depth + 1);
    return;
  }
  for (const name in value) {
    requireText(name);
    requireSound((value as Record<string, unknown>)[name], depth + 1);
  }
}

function requireText(text: string): void {
  if (text.includes('\0')) throw invalid('bad_text', '', 'the body must not contain U+0000');
  if (!text.isWellFormed()) throw invalid('bad_text', '', 'the body must not contain an unpaired surrogate');
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The form fields in which Slack's and Discord's clients send a payload as JSON. */
const PAYLOAD_FIELDS = ['payload', 'payload_json'];

/** The contents of a request's body. */
export interface Received {
  payload: unknown;
  /** The files of a multipart form, at most `MAX_FILES`. */
  files: readonly File[];
  /** Whether the body is plain text, which has no paths that a template could use. */
  isText: boolean;
}

/**
 * Extracts the payload from a body. The body may be JSON (with any `Content-Type`), a form with JSON in a
 * field, a form whose fields are the payload, or plain text, which becomes `{message}`. Throws INVALID_REQUEST.
 */
export async function receivedOf(headers: IncomingHttpHeaders, body: Buffer): Promise<Received> {
  const type = headers['content-type'] ?? '';
  // PowerShell and .NET put a byte order mark in front of text (RFC 8259, section 8.1: parsers may ignore
  // it).
  const bytes = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? body.subarray(3) : body;
  const media = /^[^;\s]*/.exec(type.toLowerCase())?.[0] ?? '';
  if ('ce-specversion' in headers)
    return { payload: eventOf(headers, media, bytes), files: [], isText: false };
  if (media !== 'multipart/form-data') {
    const payload = payloadOf(media, bytes);
    return { payload, files: [], isText: payload instanceof PlainText };
  }
  const form = await partsOf(type, bytes);
  return { payload: ofForm(textsOf(form, bytes)), files: filesOf(form), isText: false };
}

function payloadOf(media: string, bytes: Buffer): unknown {
  const start = bytes.toString('latin1', 0, 64).trimStart()[0];
  if (media === 'application/x-www-form-urlencoded') {
    // By default, curl gives every body the media type of a form.
    if (start === '{') return payloadIn(bytes);
    return bytes.includes('=') ? ofForm(fieldsOf(bytes)) : ofText(bytes);
  }
  if (media !== '' && !media.startsWith('text/')) return payloadIn(bytes);
  return start === '{' ? jsonOr(bytes, ofText) : ofText(bytes);
}

/** The payload for plain text. */
class PlainText {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

function ofText(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('bad_encoding', '', 'the body must be text in UTF-8');
  return new PlainText(bytes.toString('utf8'));
}

/** Falls back to text if a body that starts with a brace is not JSON. */
function jsonOr(bytes: Buffer, otherwise: (bytes: Buffer) => unknown): unknown {
  try {
    return payloadIn(bytes);
  } catch {
    return otherwise(bytes);
  }
}

/**
 * Parses the fields of a URL-encoded form. Throws INVALID_REQUEST if there are too many, because all are
 * decoded at once.
 */
function fieldsOf(bytes: Buffer): URLSearchParams {
  let fields = 1;
  for (let at = bytes.indexOf('&'); at !== -1; at = bytes.indexOf('&', at + 1))
    if (++fields > MAX_FIELDS)
      throw invalid('bad_form', '', `the form must have at most ${MAX_FIELDS} fields`);
  const form = new URLSearchParams(bytes.toString('utf8'));
  return requireUtf8(form, bytes.includes(REPLACEMENT) || /%EF%BF%BD/i.test(bytes.toString('latin1')));
}

/** The character that replaces bytes that are not UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * Returns a form. Throws INVALID_REQUEST if its texts are not UTF-8. `isSent` tells whether the body itself
 * contains U+FFFD.
 */
function requireUtf8(form: URLSearchParams, isSent: boolean): URLSearchParams {
  if (!isSent && [...form].flat().some((text) => text.includes(REPLACEMENT)))
    throw invalid('bad_encoding', '', 'the form must be text in UTF-8');
  return form;
}

/** Returns the fields of a multipart form, without its files. */
function textsOf(form: FormData, bytes: Buffer): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') texts.append(name, value);
  return requireUtf8(texts, bytes.includes(REPLACEMENT));
}

/** Returns the files of a form. For a file field without a selected file, browsers send an empty file. */
function filesOf(form: FormData): File[] {
  const files = [...form].flatMap(([, value]) => (typeof value === 'object' ? [value] : []));
  const sent = files.filter(({ name, size }) => name !== '' || size > 0);
  if (sent.length > MAX_FILES) throw invalid('too_many', '', `the form must have at most ${MAX_FILES} files`);
  return sent;
}

function ofForm(form: URLSearchParams): unknown {
  for (const field of PAYLOAD_FIELDS) {
    const payload = form.get(field);
    if (payload !== null) return payloadIn(Buffer.from(payload));
  }
  return Object.fromEntries(form);
}

/** Maximum files per message, as for other senders. */
const MAX_FILES = 10;

/** Maximum fields of a URL-encoded form. A Slack payload with unencoded ampersands has a few hundred. */
const MAX_FIELDS = 1_000;
/** Maximum parts of a multipart form. Real clients send fewer than ten. */
const MAX_PARTS = 100;

/** Returns the parts of a multipart form. */
async function partsOf(type: string, bytes: Buffer): Promise<FormData> {
  // Thousands of parts would block the event loop, because parsing is synchronous.
  const parts = bytes.toString('latin1').toLowerCase().split('content-disposition').length - 1;
  if (parts > MAX_PARTS) throw invalid('bad_form', '', `the form must have at most ${MAX_PARTS} parts`);
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  } catch {
    throw invalid('bad_form', '', 'the body is not a valid form');
  }
}
