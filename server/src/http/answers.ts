import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StorageError, StorageFull, Unavailable, UniqueViolation } from '../db/contract.ts';
import { ApiError, invalid, type Problem } from '../errors.ts';
import { StoreError, StoreFull } from '../files/store.ts';
import { DiskFull } from '../lib/diskSpace.ts';

import { conflicts } from '../operations/conflicts.ts';
import { MAX_BODY_BYTES } from './body.ts';

/** Formats the error envelope (decisions, part 1) as JSON, for a server under this base. */
export function errorBody({ code, message, details }: ApiError, requestId: string, base = ''): string {
  return JSON.stringify({
    ok: false,
    error: {
      code,
      message,
      requestId,
      ...(details !== undefined && { details: detailsUnder(base, details) }),
    },
  });
}

/** Returns the details, with `help` as a path on a server under this base. */
const detailsUnder = (base: string, details: unknown): unknown =>
  base === '' || !Array.isArray(details)
    ? details
    : details.map((each: Problem) => ({ ...each, ...(each.help && { help: base + each.help }) }));

/** Tells browsers to use only TLS for the host for a year (RFC 6797). */
const HSTS = 'max-age=31536000';

/**
 * Whether people reach the server over TLS. False for an empty `address`, because the protocol is then
 * unknown.
 */
const isSecure = (address: string): boolean => address !== '' && new URL(address).protocol === 'https:';

/**
 * Returns the headers of every response from a server with the public address `address`, which is empty if it
 * is unknown.
 */
export const headersAt = (address: string): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  // Pages and files replace this with their own policy.
  'content-security-policy': "frame-ancestors 'none'",
  ...(isSecure(address) && { 'strict-transport-security': HSTS }),
});

/**
 * Adds the request's id to the headers of `headersAt`. Pass them to Fastify's `reply`, not to `reply.raw`:
 * Fastify passes all headers to Node at once, which is several microseconds faster than setting them one by
 * one.
 */
export const commonHeaders = (headers: Readonly<Record<string, string>>, requestId: string) => ({
  'x-request-id': requestId,
  ...headers,
});

/**
 * Adds the common headers to every response, and the error envelope to every error. Unexpected errors
 * become INTERNAL_ERROR.
 */
export function formatAnswers(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  base: string,
): void {
  const refuse = refuseUnder(base);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(headers, request.id));
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(lacksHost ? invalid('wrong_host', '', 'the Host header is required') : undefined);
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toApiError(error);
    if (refusal) return refuse(refusal, request, reply);
    if (isFull(error)) {
      request.log.warn({ requestId: request.id, reason: error.message }, 'the disk is full');
      return refuse(diskFull, request, reply, 503);
    }
    if (error instanceof Unavailable) {
      // Every request fails this way while the database is down, so each logs one line without a stack.
      request.log.warn({ requestId: request.id, reason: error.message }, 'the database is unavailable');
      const message = 'the database is temporarily unavailable. Try again in a second';
      const unavailable = new ApiError('INTERNAL_ERROR', message, undefined, { 'retry-after': '1' });
      return refuse(unavailable, request, reply, 503);
    }
    if (error instanceof StoreError) {
      request.log.warn({ requestId: request.id, reason: error.message }, 'files are unavailable');
      const message = 'file storage is temporarily unavailable. Try again later';
      return refuse(
        new ApiError('INTERNAL_ERROR', message, undefined, { 'retry-after': '5' }),
        request,
        reply,
        503,
      );
    }
    request.log.error({ err: error, requestId: request.id }, 'a request failed');
    const message =
      error instanceof StorageError
        ? 'the database cannot be read or written right now. Try again later'
        : 'something went wrong on the server. Its operator can find the cause in the log, by the requestId';
    return refuse(new ApiError('INTERNAL_ERROR', message), request, reply);
  });
}

/** Whether a write failed or was rejected because a disk or bucket is full or nearly full. */
const isFull = (error: unknown): boolean =>
  error instanceof StorageFull || error instanceof StoreFull || error instanceof DiskFull;

/** The response if a disk or bucket is full, with status 503. */
const diskFull = new ApiError(
  'INTERNAL_ERROR',
  "the server's disk is full: nothing can be saved until its operator frees space. Try again later",
  undefined,
  { 'retry-after': '60' },
);

const refuseUnder =
  (base: string) =>
  (error: ApiError, request: FastifyRequest, reply: FastifyReply, status: number = error.status) =>
    reply
      .code(status)
      .headers(error.headers)
      .header('content-type', 'application/json; charset=utf-8')
      .send(Buffer.from(errorBody(error, request.id, base)));

function toApiError(error: FastifyError): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof UniqueViolation) {
    const message = conflicts[(error as UniqueViolation).index];
    return message === undefined ? undefined : new ApiError('ALREADY_EXISTS', message);
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return invalid('too_large', '', `the body is larger than ${MAX_BODY_BYTES / 1024} KiB`);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('unreadable', '', 'the length of the body does not match Content-Length');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_TYPE':
      return invalid(
        'wrong_media_type',
        '',
        'the body must be JSON, with the header "Content-Type: application/json"',
      );
    case 'FST_ERR_BAD_URL':
      return new ApiError('NOT_FOUND', 'this path does not exist');
    default:
      // Other request errors from Fastify and Node have a status from 400 to 499.
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? invalid('unreadable', '', 'the request is not valid')
        : undefined;
  }
}
