import { pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../files/store.ts';
import { type Content, type DownloadOperation, performDownload } from '../operations/download.ts';
import type { Services } from '../operations/services.ts';
import { validInput } from '../operations/validation.ts';
import { sendBytes } from './chunks.ts';
import { has, notModified } from './conditional.ts';
import { rangeOf } from './ranges.ts';
import { inputOf } from './request.ts';
import { tenantFor } from './tenant.ts';

/** Number of bytes that a download buffers while its client reads. */
const BUFFERED_BYTES = 128 * 1024;

/** Creates the handler for a download. */
export function answerDownload(operation: DownloadOperation, services: Services) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params, query } = validInput(operation, inputOf(request));
    const content = await performDownload(services, operation, request.caller, params, query);
    const { bytes } = content;
    const open = typeof bytes === 'function' ? counted(operation, services, request, bytes) : undefined;
    const opened = open && (await openPart(request, reply, content, open));
    reply.headers({ 'content-type': content.type, ...content.headers });
    if (content.cacheControl) reply.header('cache-control', content.cacheControl);
    if (opened === 'kept') return notModified(reply);
    if (opened) return opened.bytes ?? sendHead(reply);
    if (content.length !== undefined) reply.header('content-length', content.length);
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) return bytes;
    reply.server.unread.add(reply, bytes);
    return sendBytes(reply, bytes);
  };
}

type Open = Extract<Content['bytes'], (...range: never) => unknown>;

/** Wraps `open` so that it counts towards its operation's concurrency limit until the stream closes. */
function counted(
  { row: { bound } }: DownloadOperation,
  services: Services,
  request: FastifyRequest,
  open: Open,
): Open {
  const { caller } = request;
  if (!bound || !caller) return open;
  return async (range) => {
    const end = services[bound].begin(caller.principal.userId, tenantFor(request));
    try {
      return (await open(range)).once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  };
}

/**
 * Opens the file, or the requested range. Does not open it for HEAD. Returns `kept` if the client already has
 * the file. Files never change.
 */
async function openPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { length, tag }: Content,
  open: Open,
): Promise<{ bytes: Readable | undefined } | 'kept'> {
  const entityTag = tag && `"${tag}"`;
  if (entityTag && has(request, entityTag)) {
    reply.header('etag', entityTag);
    return 'kept';
  }
  let range: ByteRange | undefined;
  try {
    range = length === undefined ? undefined : rangeOf(request.headers, length, entityTag);
  } catch (error) {
    reply.header('content-range', `bytes */${length}`);
    throw error;
  }
  if (request.method !== 'HEAD') reply.server.unread.hold(reply, BUFFERED_BYTES);
  const expected = range ? range.last - range.first + 1 : length;
  const opened = request.method === 'HEAD' ? undefined : await open(range);
  const bytes = opened && expected !== undefined ? exactly(opened, expected) : opened;
  if (length !== undefined) reply.header('accept-ranges', 'bytes');
  if (entityTag) reply.header('etag', entityTag);
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${length}`);
  }
  if (expected !== undefined) reply.header('content-length', expected);
  return { bytes };
}

/**
 * Passes the bytes through, and fails unless there are exactly `length` of them: after any other number, the
 * client would misread the next response on the connection.
 */
function exactly(bytes: Readable, length: number): Readable {
  let left = length;
  const wrong = () => new Error(`the length of a stored file is not ${length} bytes`);
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(wrong());
      else done(null, chunk);
    },
    flush: (done) => done(left > 0 ? wrong() : null),
  });
  // The pipeline closes the file when the client disconnects.
  return pipeline(bytes, checked, () => {});
}

/** Responds to HEAD with the headers set so far. Fastify would set the length to 0. */
function sendHead(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end();
  return reply;
}
