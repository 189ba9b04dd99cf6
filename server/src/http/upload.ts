import { Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../errors.ts';
import { textOf } from '../operations/answer.ts';
import type { Services } from '../operations/services.ts';
import { type Incoming, performUpload, type UploadOperation } from '../operations/upload.ts';
import { validInput } from '../operations/validation.ts';
import { requireUncoded } from './body.ts';
import { inputOf, keyOf, send } from './request.ts';

const FORM = 'multipart/form-data';
/** Limits of a form; `fieldSize` is the bytes of one field. */
const FORM_LIMITS = { files: 1, fields: 20, fieldSize: 64 * 1024 };

/** A Fastify scope for an upload: its body is not read before the handler does. */
export function uploadScope(
  { row }: UploadOperation,
  register: (scope: FastifyInstance) => void,
): (scope: FastifyInstance) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    if (row.takes.includes(FORM)) {
      const { default: multipart } = await import('@fastify/multipart');
      await scope.register(multipart, { limits: { ...FORM_LIMITS, fileSize: row.maxBytes + 1 } });
    }
    const types = row.takes.filter((type) => type !== FORM);
    if (types.length > 0) {
      const options = { bodyLimit: row.maxBytes };
      scope.addContentTypeParser(types, options, (_request, payload, done) => done(null, payload));
    }
    register(scope);
  };
}

/** Makes the handler of an upload. */
export function answerUpload(operation: UploadOperation, services: Services) {
  const take = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { incoming, fields } = await partsOf(request);
    const bytes = incoming.bytes.pipe(atMost(operation.row.maxBytes));
    incoming.bytes.on('error', (error) => bytes.destroy(error));
    const valid = validInput(operation, { ...inputOf(request), body: fields });
    const whole = { ...incoming, bytes };
    const answer = await performUpload(services, operation, request.caller, valid, whole, {
      key: keyOf(request),
    });
    return send(reply, answer, textOf(operation.row.answer, undefined, answer));
  };
  return (request: FastifyRequest, reply: FastifyReply): Promise<unknown> =>
    take(request, reply).catch((error) => {
      // Do not read the rest of a refused body: close the connection after the answer.
      if (!request.raw.complete) reply.header('connection', 'close');
      throw error;
    });
}

/**
 * The file of a form, with the form's fields that come before it; or the whole body. Throws INVALID_REQUEST for a form
 * without a file.
 */
async function partsOf(request: FastifyRequest): Promise<{ incoming: Incoming; fields: object }> {
  requireUncoded(request, { length: 1 });
  if (!request.headers['content-type']?.startsWith(FORM)) {
    const bytes = request.body instanceof Readable ? request.body : Readable.from([]);
    return { incoming: { bytes, type: request.headers['content-type'] ?? '', name: undefined }, fields: {} };
  }
  const file = await request.file();
  if (!file) throw invalid('missing', 'file', 'is required');
  const fields = Object.entries(file.fields).flatMap(([name, part]) =>
    part && 'value' in part ? [[name, part.value]] : [],
  );
  return {
    incoming: { bytes: file.file, type: file.mimetype, name: file.filename },
    fields: Object.fromEntries(fields),
  };
}

/** A stream that passes bytes on, and fails with INVALID_REQUEST once there are more than `maxBytes`. */
function atMost(maxBytes: number): Transform {
  let length = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length > maxBytes) done(invalid('too_large', 'file', `is larger than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}
