import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import fastify, {
  type FastifyBaseLogger,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { Authenticator } from './access/principal.ts';
import type { Db } from './db/contract.ts';
import { ApiError, invalid } from './errors.ts';
import { Feed } from './feed/feed.ts';
import { admit } from './http/admit.ts';
import { answerAlike, errorBody, setCommonHeaders } from './http/answers.ts';
import { acceptJson, MAX_BODY_BYTES } from './http/body.ts';
import { letPagesAsk } from './http/cors.ts';
import { Cursors } from './http/cursor.ts';
import { mountDocuments } from './http/documents.ts';
import type { Endpoint } from './http/endpoint.ts';
import { HOOK_PREFIX, mountHooks } from './http/hooks.ts';
import { KeyUse } from './http/keyUse.ts';
import { measure } from './http/metrics.ts';
import { openApiDocument } from './http/openapi.ts';
import { mountOperation } from './http/operation.ts';
import { API_PREFIX, mount } from './http/pipeline.ts';
import { errorSchema } from './http/schemas.ts';
import { serializerCompiler } from './http/serialization.ts';
import type { Services } from './http/services.ts';
import { Streams } from './http/streams.ts';
import { compileValidator } from './http/validation.ts';
import type { Deps } from './lib/deps.ts';
import type { Seal } from './lib/seal.ts';
import type { Valkey } from './lib/valkey.ts';
import { type Limiter, MemoryLimiter } from './limits/slidingWindow.ts';
import { type Limits, WINDOW_MS } from './limits/table.ts';
import { endpoints } from './resources/index.ts';
import { tags } from './resources/tags.ts';

/** How long a client may take, in milliseconds: for its headers, for the whole request, and between two. */
const timeouts = { headers: 10_000, request: 30_000, idle: 65_000, checkEvery: 1_000 };

export interface AppOptions {
  db: Db;
  deps: Deps;
  limits: Limits;
  seal: Seal;
  /** Authenticates cursors; 32 bytes that outlive the process. */
  cursorKey: Uint8Array;
  logger?: FastifyBaseLogger;
  /** Reverse proxies in front that tell the client's address. */
  proxies?: number;
  /** True from when this process is to stop: it goes on serving, but tells balancers and clients to turn elsewhere. */
  isStopping?(): boolean;
  /** Counts requests against the limits; the window of this process alone unless given. */
  limiter?: Limiter;
  /** Follows the logs of servers; one that hears of this process alone unless given. */
  feed?: Feed;
  /** Lets webhooks be sent to private, loopback and link-local addresses. */
  privateWebhooks?: boolean;
  /** What nodes share, if they do: it is shown in `/readyz` and `/metrics`. */
  valkey?: Pick<Valkey, 'up' | 'reason' | 'figures'>;
}

/** What sends messages, for webhooks that take them. */
const sending = endpoints.find(({ operation }) => operation === 'messageSend') as Endpoint;

/** Everything that is served, ready to listen: what `palaver start` starts, and what tests start. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    db,
    deps,
    limits,
    seal,
    cursorKey,
    logger,
    proxies = 0,
    valkey,
    isStopping = () => false,
  } = options;
  const serverOptions: FastifyHttpOptions<Server> = {
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
      // Node would refuse without the envelope what lacks one: `answerAlike` does.
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
      noteRequest(request, 404, 0);
    },
    routerOptions: { maxParamLength: 2000 },
  };
  const app = fastify(serverOptions);
  // What a client expects beside 100-continue may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  const authenticator = new Authenticator(db, deps.now);
  const feed = options.feed ?? new Feed(db, deps);
  const streams = new Streams(authenticator);
  const services: Services = {
    db,
    deps,
    limits,
    seal,
    privateWebhooks: options.privateWebhooks ?? false,
    feed,
    streams,
    limiter: options.limiter ?? new MemoryLimiter(WINDOW_MS, deps.now),
    authenticator,
    keyUse: new KeyUse(db, deps.now),
    cursors: new Cursors(cursorKey),
  };
  app.setValidatorCompiler(compileValidator as never);
  acceptJson(app);
  answerAlike(app);
  letPagesAsk(app, API_PREFIX);
  logRequests(app);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    streams.close();
    feed.close();
  });
  const { registry, observe } = measure(db, streams, valkey);
  mountOperation(app, { db, valkey, registry, isStopping: () => stopping || isStopping() });
  app.addHook('onRequest', (_request, reply, done) => {
    if (isStopping()) reply.raw.setHeader('connection', 'close');
    done();
  });

  const schemas = [errorSchema, ...new Set(endpoints.map(({ answer }) => answer))];
  for (const schema of schemas) app.addSchema(schema);
  app.setSerializerCompiler(serializerCompiler(schemas) as never);
  await mountDocuments(app, () => openApiDocument(endpoints, schemas, tags, API_PREFIX));
  mount(app, endpoints, services, observe);
  mountHooks(app, sending, services, observe);
  refuseUnknownPaths(app, services);
  await app.ready();
  return app;
}

/** NOT_FOUND before a body is read: where there is nothing, nothing is expected of it. */
function refuseUnknownPaths(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const isApi = request.url.startsWith(`${API_PREFIX}/`);
    const admitted = isApi ? admit(services, 'query', request, reply) : Promise.resolve();
    admitted.then(() => done(nothingAt(request.method, request.url)), done);
  });
}

const nothingAt = (method: string, url: string): ApiError =>
  new ApiError('NOT_FOUND', `there is no ${method} ${url.split('?', 1)[0]}`);

const prefix = randomBytes(6).toString('base64url');
let requests = 0;

/** The client's own X-Request-Id if it is a plain word, or one that this process gives only once. */
function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given === 'string' && /^[\w.-]{1,64}$/.test(given)) return given;
  requests++;
  return `${prefix}-${requests.toString(36)}`;
}

/** One line a request, at a level that tells how it went; no header, body or query is ever logged. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    noteRequest(request, reply.statusCode, Math.round(reply.elapsedTime));
    done();
  });
}

function noteRequest(request: FastifyRequest, status: number, ms: number): void {
  const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug';
  const { log } = request;
  if (pinoLevels[level] < (pinoLevels[log.level as keyof typeof pinoLevels] ?? Number.POSITIVE_INFINITY))
    return;
  const { method, id, ip, principal } = request;
  log[level](
    { requestId: id, method, path: loggedPath(request), status, ms, ip, userId: principal?.userId },
    'request',
  );
}

/** The path without the token of an incoming webhook, which is a secret, however it is written. */
function loggedPath({ url, routeOptions }: FastifyRequest): string {
  if (routeOptions?.url?.startsWith(HOOK_PREFIX)) return `${HOOK_PREFIX}…`;
  const [path = ''] = url.split('?', 1);
  return path.replace(/hook_plv_[^/]*/gi, '…');
}

const pinoLevels = { debug: 20, info: 30, warn: 40, error: 50 };

/** What the HTTP parser cannot read, or waited for too long, gets the envelope too. */
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
