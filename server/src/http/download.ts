import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ByteRange } from '../files/store.ts';
import { type Content, type DownloadOperation, performDownload } from '../operations/download.ts';
import type { Services } from '../operations/services.ts';
import { validInput } from '../operations/validation.ts';
import { sendBytes } from './portions.ts';
import { rangeOf } from './ranges.ts';
import { inputOf } from './request.ts';

/** Makes the handler of a download. */
export function answerDownload(operation: DownloadOperation, services: Services) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params, query } = validInput(operation, inputOf(request));
    const content = await performDownload(services, operation, request.caller, params, query);
    const { bytes } = content;
    const opened = typeof bytes === 'function' ? await openPart(request, reply, content, bytes) : undefined;
    reply.headers({ 'content-type': content.type, ...content.headers });
    if (content.cacheControl) reply.header('cache-control', content.cacheControl);
    if (opened) return opened.bytes ?? sendHead(reply);
    if (content.length !== undefined) reply.header('content-length', content.length);
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) return bytes;
    reply.server.unread.add(reply, bytes);
    return sendBytes(reply, bytes);
  };
}

/** The bytes, or the part for which a request asks; none for HEAD. */
async function openPart(
  request: FastifyRequest,
  reply: FastifyReply,
  { length, tag }: Content,
  open: Extract<Content['bytes'], (...range: never) => unknown>,
): Promise<{ bytes: Readable | undefined }> {
  const entityTag = tag && `"${tag}"`;
  let range: ByteRange | undefined;
  try {
    range = length === undefined ? undefined : rangeOf(request.headers, length, entityTag);
  } catch (error) {
    reply.header('content-range', `bytes */${length}`);
    throw error;
  }
  const bytes = request.method === 'HEAD' ? undefined : await open(range);
  reply.header('accept-ranges', 'bytes');
  if (entityTag) reply.header('etag', entityTag);
  if (range) {
    reply.code(206).header('content-range', `bytes ${range.first}-${range.last}/${length}`);
    reply.header('content-length', range.last - range.first + 1);
  } else if (length !== undefined) {
    reply.header('content-length', length);
  }
  return { bytes };
}

/** Answers HEAD with the headers that are set. Fastify would set the length of an empty body. */
function sendHead(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end();
  return reply;
}
