import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  LogController,
} from 'fastify';
import { ApiError, invalid } from '../errors.ts';
import { answerAlike, errorBody, setCommonHeaders } from './answers.ts';
import { acceptJson, MAX_BODY_BYTES } from './body.ts';
import { letPagesAsk } from './cors.ts';
import { logRequest, logRequests, requestId } from './operation/requests.ts';

/** The time that a client may take, in milliseconds: for its headers, for the whole request, and between two. */
const timeouts = { headers: 10_000, request: 30_000, idle: 65_000, checkEvery: 1_000 };

/** A server without routes: its limits, its bodies, its errors, its log. `proxies` in front tell the client's address. */
export function createServer(
  logger: FastifyBaseLogger | undefined,
  proxies: number,
  prefix: string,
): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    ...(logger && { loggerInstance: logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: proxies > 0 && ((_address, hop) => hop < proxies),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    keepAliveTimeout: timeouts.idle,
    requestTimeout: timeouts.request,
    http: {
      headersTimeout: timeouts.headers,
      connectionsCheckingInterval: timeouts.checkEvery,
      // Node would refuse a request without Host, and without the envelope: `answerAlike` does it with.
      requireHostHeader: false,
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (_error, request, reply) => {
      const body = errorBody(nothingAt(request.method, request.url), request.id);
      setCommonHeaders(reply.raw, request.id);
      reply.raw.writeHead(404, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      reply.raw.end(body);
      logRequest(request, 404, 0);
    },
    routerOptions: { maxParamLength: 2000 },
  };
  const app = fastify(options) as unknown as FastifyInstance;
  // An expectation other than 100-continue may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.decorateRequest('caller', undefined);
  acceptJson(app);
  answerAlike(app);
  letPagesAsk(app, prefix);
  logRequests(app);
  return app;
}

/** NOT_FOUND for a path where nothing is. */
export const nothingAt = (method: string, url: string): ApiError =>
  new ApiError('NOT_FOUND', `there is no ${method} ${url.split('?', 1)[0]}`);

/** A request that the HTTP parser cannot read, or waited for too long, gets the envelope too. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const id = requestId({ headers: {} });
  const body = errorBody(
    invalid('', late ? 'the request took too long to arrive' : 'this is not HTTP that can be read'),
    id,
  );
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${id}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
