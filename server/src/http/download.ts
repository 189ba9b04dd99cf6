import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DownloadOperation, performDownload } from '../operations/download.ts';
import type { Services } from '../operations/services.ts';
import { validInput } from '../operations/validation.ts';
import { sendBytes } from './portions.ts';
import { inputOf } from './request.ts';

/** Makes the handler of a download. */
export function answerDownload(operation: DownloadOperation, services: Services) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params, query } = validInput(operation, inputOf(request));
    const content = await performDownload(services, operation, request.caller, params, query);
    reply.header('content-type', content.type);
    if (content.length !== undefined) reply.header('content-length', content.length);
    if (content.cacheControl) reply.header('cache-control', content.cacheControl);
    const { bytes } = content;
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) return bytes;
    reply.server.unread.add(reply, bytes);
    return sendBytes(reply, bytes);
  };
}
