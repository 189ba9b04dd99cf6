import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import { commonHeaders, errorBody, formatAnswers, headersAt } from './answers.ts';
import { baseOf, redirectToBase, withoutBase } from './base.ts';
import { acceptJson, MAX_BODY_BYTES } from './body.ts';
import { sendInChunks } from './chunks.ts';
import { Connections } from './connections.ts';
import { allowAllOrigins } from './cors.ts';
import { allowHosts } from './hosts.ts';
import { logRequest, logRequests, requestId } from './observe/requests.ts';
import { checkWhileConnected } from './timeoutCheck.ts';
import { closeStalled } from './unread.ts';
import { isUploading } from './uploads.ts';

/**
 * Timeouts for the headers, for the whole request, and between two requests. The last one is longer than
 * proxies keep idle connections (two minutes at most): a proxy must not reuse a connection that is being
 * closed.
 */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_MS = 130_000;
/** The interval at which connections are checked against these timeouts. */
const TIMEOUT_CHECK_MS = 1_000;

export interface ServerOptions {
  logger?: FastifyBaseLogger | undefined;
  /** The number of trusted proxies in front, which forward the client's address. */
  proxies?: number;
  /** The hosts to serve; all hosts if empty. */
  hosts?: readonly string[];
  /** The public address of the server. If omitted or empty, `Site` derives it from each request. */
  address?: string | undefined;
}

/**
 * Creates a server without routes, but with limits, body parsers, error handling, CORS under `prefix`, and
 * logging.
 */
export function createServer(
  prefix: string,
  { logger, proxies = 0, hosts = [], address = '' }: ServerOptions,
): FastifyInstance {
  const connections = new Connections();
  const headers = headersAt(address);
  const base = baseOf(address);
  const options: FastifyHttpOptions<Server> = {
    ...(logger && { loggerInstance: sharedByRequests(logger) }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    ...(base !== '' && { rewriteUrl: withoutBase(base) }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: proxies > 0 && ((_address, hop) => hop < proxies),
    // The plugin timeout is off: no plugin can hang, and Fastify would start a timer for each of hundreds of
    // routes.
    pluginTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // Node would reject a request without `Host` but send no error envelope. `formatAnswers` rejects it
      // instead.
      requireHostHeader: false,
      ServerResponse: connections.answers,
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, headers),
    frameworkErrors: (_error, request, reply) => {
      const body = errorBody(pathNotFound(request.method, request.url), request.id);
      reply.raw.writeHead(404, {
        ...commonHeaders(headers, request.id),
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      reply.raw.end(body);
      logRequest(request, 404, 0);
    },
    routerOptions: { maxParamLength: 2000 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  };
  const app = fastify(options) as unknown as FastifyInstance;
  // Ignores expectations other than 100-continue, as RFC 9110 allows (10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.decorate('connections', connections);
  connections.watch(app);
  app.decorateRequest('caller', undefined);
  acceptJson(app);
  formatAnswers(app, headers, base);
  allowHosts(app, hosts);
  if (base !== '') redirectToBase(app, base);
  closeStalled(app);
  checkWhileConnected(app, TIMEOUT_CHECK_MS);
  sendInChunks(app);
  allowAllOrigins(app, prefix);
  logRequests(app);
  return app;
}

/**
 * Returns a single logger for all requests, because creating a child logger per request would take longer
 * than writing the line. Every line contains the id of its request.
 */
function sharedByRequests(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger, { child: { value: () => shared } });
  return shared;
}

/**
 * Replaces Fastify's schema compilers, which are slow to load. They are not needed, because operations
 * validate with their own schemas and routes have none.
 */
function noSchemas(): never {
  throw new Error('schemas belong in the operation, not in the route');
}

/** Creates the NOT_FOUND error for a method and path without a route. */
export const pathNotFound = (method: string, url: string): ApiError =>
  new ApiError('NOT_FOUND', `there is no ${method} ${url.split('?', 1)[0]}`);

/** Responds with an error envelope to a request that the HTTP parser cannot read or that was too slow. */
function refuseUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  // No response is sent on a connection without a request: a proxy would treat it as the response to its next
  // request.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // Uploads may take longer and have their own timeouts. Node checks each request only once.
  if (late && isUploading(socket)) return;
  const id = requestId({ headers: {} });
  const refusal = late
    ? invalid('too_slow', '', 'the request took too long to arrive')
    : invalid('unreadable', '', 'the request is not valid HTTP');
  const body = errorBody(refusal, id);
  const lines = Object.entries({
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    ...commonHeaders(headers, id),
    'content-length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
