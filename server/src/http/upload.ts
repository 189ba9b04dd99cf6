import { Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import { networkOf } from '../lib/network.ts';
import { MEGABYTE } from '../limits/room.ts';
import { runtimeSettings } from '../limits/runtime.ts';
import { textOf } from '../operations/answer.ts';
import type { Services } from '../operations/services.ts';
import { type Incoming, performUpload, type UploadOperation } from '../operations/upload.ts';
import { validInput } from '../operations/validation.ts';
import { requireUncoded } from './body.ts';
import { inputOf, keyOf, send } from './request.ts';
import { tenantFor } from './tenant.ts';
import { watchPace } from './uploads.ts';

const FORM = 'multipart/form-data';
/** Limits for a form; `fieldSize` and `fieldNameSize` are bytes per field. */
const FORM_LIMITS = { files: 1, fields: 20, parts: 21, fieldSize: 64 * 1024, fieldNameSize: 100 };

/** Maximum size of a form in bytes, excluding its file. */
const FORM_BYTES = 4 * MEGABYTE;
/** A chunk that may contain more parts than allowed is passed to the parser in slices of this many bytes. */
const SLICE_BYTES = 512;

/** An upload takes space twice: once as received, and once without its metadata. */
const COPIES = 2;

/** Creates a Fastify scope for an upload whose body is streamed to the handler. */
export function uploadScope(
  { row }: UploadOperation,
  register: (scope: FastifyInstance) => void,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    if (row.takes.includes(FORM)) {
      // The multipart parser is loaded for the first form.
      scope.addContentTypeParser(FORM, (_request, payload, done) => done(null, payload));
    }
    const types = row.takes.filter((type) => type !== FORM);
    if (types.length > 0) {
      // Fastify rejects a body whose headers announce a larger size. The handler enforces the current setting
      // by counting the received bytes.
      const options = { bodyLimit: row.maxBytes ?? runtimeSettings.fileMegabytes.max * MEGABYTE };
      scope.addContentTypeParser(types, options, (_request, payload, done) => done(null, payload));
    }
    scope.addContentTypeParser('*', (_request, _payload, done) => done(wrongType(row.takes)));
    register(scope);
  };
}

/** Creates the error for a body with the wrong media type. */
const wrongType = (taken: readonly string[]): ApiError =>
  invalid('wrong_media_type', '', `send the file as ${taken.join(' or ')}`);

/** Creates the handler for an upload, limited to the size in its row, or to the `fileMegabytes` setting. */
export function answerUpload(operation: UploadOperation, services: Services) {
  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    began: (bytes: Readable) => void,
  ): Promise<unknown> => {
    const maxBytes = operation.row.maxBytes ?? (await services.settings.current()).fileMegabytes * MEGABYTE;
    const length = Math.min(Number(request.headers['content-length'] ?? maxBytes), maxBytes);
    const release = await services.disks.files.reserve(COPIES * length);
    try {
      const { incoming, fields } = await partsOf(request, maxBytes);
      began(incoming.bytes);
      const valid = validInput(operation, { ...inputOf(request), body: fields });
      const answer = await performUpload(services, operation, request.caller, valid, incoming, {
        key: keyOf(request),
      });
      return send(reply, answer, textOf(operation.row.answer, undefined, answer));
    } finally {
      release();
    }
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const end = beginning(request, services);
    let arriving: Readable | undefined;
    let stop = () => {};
    const late = new Promise<never>((_resolve, reject) => {
      stop = watchPace(request, (error) => {
        arriving?.destroy(error);
        reject(error);
      });
    });
    const taken = take(request, reply, (bytes) => {
      arriving = bytes;
      bytes.once('close', stop);
    });
    // If the client was too slow, the upload ends on its own and deletes its file.
    taken.catch(() => {}).finally(end);
    const { figures } = services.files;
    const begun = performance.now();
    try {
      const answer = await Promise.race([taken, late]);
      figures.uploads.stored++;
      return answer;
    } catch (error) {
      figures.uploads[error instanceof ApiError && error.code !== 'INTERNAL_ERROR' ? 'refused' : 'failed']++;
      // The rest of a rejected body is not read. The connection is closed after the response.
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    } finally {
      figures.seconds += (performance.now() - begun) / 1000;
      stop();
    }
  };
}

/** Counts an upload until the returned function is called. Throws RATE_LIMITED if there are too many. */
function beginning(request: FastifyRequest, { files: { figures } }: Services): () => void {
  const { caller, ip, server } = request;
  try {
    const end = server.uploads.begin(
      caller?.principal.userId ?? `address ${networkOf(ip)}`,
      tenantFor(request),
    );
    server.inFlight.end(request);
    return end;
  } catch (error) {
    figures.uploads.refused++;
    throw error;
  }
}

/** The file in a request, and the fields of its form. */
interface Parts {
  incoming: Incoming;
  fields: object;
}

/**
 * Returns the file in a form, with the fields before it, or the whole body. Throws INVALID_REQUEST for a form
 * without a file.
 */
async function partsOf(request: FastifyRequest, maxBytes: number): Promise<Parts> {
  requireUncoded(request, { length: 1 });
  const { 'content-type': type = '' } = request.headers;
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  if (!type.toLowerCase().startsWith(FORM)) {
    return { incoming: { bytes: atMost(body, maxBytes), type, name: undefined }, fields: {} };
  }
  const { Busboy } = await import('@fastify/busboy');
  const limits = { ...FORM_LIMITS, fileSize: maxBytes + 1 };
  return new Promise<Parts>((resolve, reject) => {
    const form = new Busboy({ headers: { ...request.headers, 'content-type': type }, limits });
    const fields: Record<string, string> = {};
    let bytes: Readable | undefined;
    const guard = guarded(maxBytes + FORM_BYTES);
    const fail = (error = wasCut()) => {
      body.unpipe(guard);
      guard.unpipe(form);
      bytes?.destroy(error);
      reject(error);
    };
    form.on('field', (name, value) => {
      if (!bytes && typeof name === 'string' && name !== '__proto__') fields[name] = value;
    });
    form.on('file', (_field, file, name, _encoding, mimetype) => {
      bytes = atMost(file, maxBytes);
      resolve({ incoming: { bytes, type: mimetype, name: name || undefined }, fields });
    });
    form.on('error', () => fail());
    form.on('partsLimit', () => fail(invalid('bad_form', '', 'the form has too many parts')));
    guard.on('error', (error) => fail(error as ApiError));
    form.on('finish', () => reject(invalid('missing', 'file', 'is required')));
    body.on('error', () => fail());
    // If the whole form has arrived, its file has, too.
    body.on('close', () => request.raw.complete || fail());
    body.pipe(guard).pipe(form);
  }).catch((error) => {
    if (error instanceof ApiError) throw error;
    throw invalid('bad_form', '', 'the form has no boundary');
  });
}

const wasCut = (): ApiError => invalid('bad_form', 'file', 'was cut off, or the form is not valid');

/**
 * Passes a form to its parser, which handles each chunk synchronously. Thousands of empty parts in 64 KB
 * would block the event loop for a long time. If such a chunk is passed in slices, the limit on parts stops
 * it early. Fails with INVALID_REQUEST beyond `most` bytes.
 */
function guarded(most: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > most) return done(invalid('too_large', '', `the form is larger than ${most} bytes`));
      const size = hasManyParts(chunk) ? SLICE_BYTES : chunk.length;
      for (let at = 0; at < chunk.length; at += size) this.push(chunk.subarray(at, at + size));
      done();
    },
  });
}

/** Whether a chunk may contain more parts than a form may have. */
function hasManyParts(chunk: Buffer): boolean {
  let found = 0;
  for (let at = chunk.indexOf('\r\n--'); at !== -1; at = chunk.indexOf('\r\n--', at + 4))
    if (++found > FORM_LIMITS.parts) return true;
  return false;
}

/** Passes a stream through. It fails with INVALID_REQUEST beyond `maxBytes`, or if the source ends early. */
function atMost(from: Readable, maxBytes: number): Readable {
  let length = 0;
  const bytes = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) done(invalid('too_large', 'file', `is larger than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
  // Readers also get the error. Without this listener, an error before there is a reader would crash the
  // process.
  bytes.on('error', () => from.unpipe(bytes));
  from.on('error', () => bytes.destroy(wasCut()));
  from.on('close', () => from.readableEnded || bytes.destroy(wasCut()));
  return from.pipe(bytes);
}
