import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticator.ts';
import type { Db } from './db/contract.ts';
import { Feed } from './feed/feed.ts';
import { admit } from './http/admit.ts';
import { mountHooks } from './http/hooks/hooks.ts';
import { mount } from './http/mount.ts';
import { openApiDocument } from './http/openapi/document.ts';
import { mountDocuments } from './http/openapi/pages.ts';
import { measure, type WebhookFigures } from './http/operation/metrics.ts';
import { mountProbes } from './http/operation/probes.ts';
import { createServer, pathNotFound } from './http/server.ts';
import { Streams } from './http/streams/streams.ts';
import type { Deps } from './lib/deps.ts';
import type { Seal } from './lib/seal.ts';
import type { Valkey } from './lib/valkey.ts';
import { type Quotas, quotasFrom } from './limits/quotas.ts';
import { type Limiter, MemoryLimiter } from './limits/slidingWindow.ts';
import { AGENT_CEILING, type Limits, WINDOW_MS } from './limits/table.ts';
import { Cursors } from './operations/cursor.ts';
import { KeyUse } from './operations/keyUse.ts';
import { API_PREFIX } from './operations/operation.ts';
import type { Operation } from './operations/perform.ts';
import type { Services } from './operations/services.ts';
import { consequences } from './resources/consequences.ts';
import { events, messageSend, operations, tags } from './resources/index.ts';

export interface AppOptions {
  db: Db;
  deps: Deps;
  limits: Limits;
  /** The limit of all agents of a server together, as a multiple of one user's; 0 for none. */
  agentCeiling?: number | undefined;
  /** The quotas of each server; those of the table if left out. */
  quotas?: Quotas | undefined;
  seal: Seal;
  /** Authenticates cursors. 32 bytes, the same on each start. */
  cursorKey: Uint8Array;
  logger?: FastifyBaseLogger;
  /** The number of trusted reverse proxies in front. */
  proxies?: number;
  /** True once this process is to stop. It then serves on, but `/readyz` and `Connection: close` turn clients away. */
  isStopping?(): boolean;
  /** Counts requests against the limits. If left out, this process counts on its own. */
  limiter?: Limiter;
  /** Follows the logs. If left out, one without news from other processes. */
  feed?: Feed;
  /** Allows webhooks to private, loopback and link-local addresses. */
  privateWebhooks?: boolean;
  /** The Valkey that nodes share, for `/readyz` and `/metrics`. */
  valkey?: Pick<Valkey, 'up' | 'reason' | 'figures'>;
  /** The figures of sending webhooks, for `/metrics`. */
  webhookFigures?: WebhookFigures | undefined;
  /** Operations in addition to those of the resources. */
  further?: readonly Operation[];
}

/** Builds the app with all its routes, ready to listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, logger, proxies = 0, valkey, isStopping = () => false, further = [] } = options;
  const services = servicesOf(options);
  const streams = new Streams(services.authenticator);
  const app = createServer(logger, proxies, API_PREFIX);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    streams.close();
    services.feed.close();
  });
  const { registry, observe } = measure({ db, streams, valkey, webhooks: options.webhookFigures });
  mountProbes(app, { db, valkey, registry, isStopping: () => stopping || isStopping() });
  app.addHook('onRequest', (_request, reply, done) => {
    if (isStopping()) reply.raw.setHeader('connection', 'close');
    done();
  });

  const served = [...operations, ...further];
  await mountDocuments(app, () => openApiDocument(served, events, tags, API_PREFIX));
  mount(app, served, services, streams, observe);
  mountHooks(app, messageSend, services, observe);
  refuseUnknownPaths(app, services);
  await app.ready();
  return app;
}

/** The dependencies of operations, with defaults. */
export function servicesOf(options: AppOptions): Services {
  const { db, deps, limits, seal, cursorKey } = options;
  return {
    db,
    deps,
    limits,
    agentCeiling: options.agentCeiling ?? AGENT_CEILING,
    quotas: options.quotas ?? quotasFrom({}),
    seal,
    events,
    consequences,
    privateWebhooks: options.privateWebhooks ?? false,
    feed: options.feed ?? new Feed(db, deps, events),
    limiter: options.limiter ?? new MemoryLimiter(WINDOW_MS, deps.now),
    authenticator: new Authenticator(db, deps.now),
    keyUse: new KeyUse(db, deps.now),
    cursors: new Cursors(cursorKey),
  };
}

/** Answers unknown paths with NOT_FOUND before the body is read, so that no problem of the body is reported instead. */
function refuseUnknownPaths(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const isApi = request.url.startsWith(`${API_PREFIX}/`);
    const refuse = () => pathNotFound(request.method, request.url);
    const admitted = async () => isApi && (await admit(services, 'query', request, reply));
    admitted().then(() => done(refuse()), done);
  });
}
