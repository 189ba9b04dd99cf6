import { hkdfSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticator.ts';
import { KeyCounts } from './access/keyCounts.ts';
import { keyUse, sessionUse } from './access/lastUse.ts';
import { mountOAuth } from './accounts/oauth/mount.ts';
import { Providers } from './accounts/openid/providers.ts';
import type { ProviderSettings } from './accounts/openid/settings.ts';
import type { Db } from './db/contract.ts';
import { Feed } from './feed/feed.ts';
import type { Files } from './files/files.ts';
import { admit } from './http/admit.ts';
import { mountHooks } from './http/hooks/hooks.ts';
import { mount } from './http/mount.ts';
import { countKeys } from './http/observe/keys.ts';
import { measure, type WebhookFigures } from './http/observe/metrics.ts';
import { mountMetrics, mountProbes } from './http/observe/probes.ts';
import { mountDocument } from './http/openapi/serve.ts';
import { mountPages } from './http/pages/mount.ts';
import { createServer, pathNotFound, type ServerOptions } from './http/server.ts';
import { Site } from './http/site.ts';
import { Streams } from './http/streams/streams.ts';
import { Unread } from './http/unread.ts';
import { type AnswerMissing, mountWeb } from './http/web/mount.ts';
import type { Deps } from './lib/deps.ts';
import { late } from './lib/late.ts';
import type { Seal } from './lib/seal.ts';
import type { Valkey } from './lib/valkey.ts';
import { type Bounds, defaultBounds } from './limits/bounds.ts';
import {
  type OwnSettings,
  ownSettings,
  PlatformSettings,
  type StartSettings,
} from './limits/platformSettings.ts';
import { type Quotas, quotasFrom } from './limits/quotas.ts';
import { Running } from './limits/running.ts';
import { type Limiter, MemoryLimiter } from './limits/slidingWindow.ts';
import { AGENT_CEILING, type Limits, WINDOW_MS } from './limits/table.ts';
import type { Outbox } from './mail/outbox.ts';
import type { MailFigures } from './mail/sender.ts';
import { Cursors } from './operations/cursor.ts';
import { API_PREFIX } from './operations/operation.ts';
import type { Operation } from './operations/perform.ts';
import type { Figures, Services } from './operations/services.ts';
import { consequences } from './resources/consequences.ts';
import { events, messageSend, operations, tagGroups } from './resources/index.ts';
import { usersBeside } from './resources/user.ts';

export type { ServerOptions };

export interface AppOptions extends ServerOptions {
  db: Db;
  deps: Deps;
  limits: Limits;
  /** The limit of all agents of a server together, as a multiple of one user's; 0 for none. */
  agentCeiling?: number | undefined;
  /** The quotas of each server; those of the table if left out. */
  quotas?: Quotas | undefined;
  seal: Seal;
  files: Files;
  /** Authenticates cursors. 32 bytes, the same on each start. */
  cursorKey: Uint8Array;
  /** Bounds of what clients hold; the defaults if left out. */
  bounds?: Bounds | undefined;
  /** Serves `/metrics` in place of the app. */
  metrics?: FastifyInstance | undefined;
  /** True once this process is to stop. It then serves on, but `/readyz` turns load balancers away. */
  isStopping?(): boolean;
  /** The address at which people reach the server; any if left out or empty. */
  address?: string | undefined;
  /** The queue of mails; none are sent if left out. */
  mail?: Outbox | undefined;
  /** The figures of sending mails, for `/metrics`. */
  mailFigures?: MailFigures | undefined;
  /** The providers with which people sign in; none if left out. They need an `address`. */
  providers?: readonly ProviderSettings[] | undefined;
  /** The node's own values of the settings that platform admins may change; the defaults where left out. */
  ownSettings?: Partial<OwnSettings> | undefined;
  /** All settings with which the node was started, for platform admins to look at; none if left out. */
  startSettings?: StartSettings | undefined;
  /** Counts requests against the limits. If left out, this process counts on its own. */
  limiter?: Limiter;
  /** Follows the logs. If left out, one without news from other processes. */
  feed?: Feed;
  /** Milliseconds after which the value of a key is refused as expired; never if left out. */
  maxKeyAgeMs?: number;
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
  const { db, valkey, isStopping = () => false, further = [], bounds = defaultBounds } = options;
  const services = servicesOf(options);
  const streams = new Streams(services.authenticator, bounds, services.feed.presences);
  const app = createServer(API_PREFIX, options);
  countKeys(app, services.keyCounts);
  const unread = new Unread(bounds.unreadMegabytes * 1024 * 1024);
  app.decorate('unread', unread);
  app.decorate('site', new Site(options.address ?? ''));
  const uploads = new Running('uploads', bounds);
  app.decorate('uploads', uploads);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    // Also those to requests that came before.
    app.connections.endWithAnswers = true;
    streams.close();
    services.feed.close();
  });
  app.addHook('onClose', () => services.sessionUse.write());
  const { metrics, observe, countUse, figures } = measure({
    db,
    streams,
    unread,
    uploads,
    exports: services.exports,
    files: services.files.figures,
    valkey,
    webhooks: options.webhookFigures,
    mails: options.mailFigures,
  });
  services.figures = figures;
  mountProbes(app, { db, valkey, isStopping: () => stopping || isStopping() });
  mountMetrics(options.metrics ?? app, metrics);

  const served = [...operations, ...further];
  const describe = late(async () => {
    const { openApiDocument } = await import('./http/openapi/document.ts');
    return (address: string) => openApiDocument(served, events, tagGroups, address);
  });
  mountDocument(app, describe);
  mountPages(app, async () => (await describe())('/'));
  const answerMissing = mountWeb(app);
  mount(app, served, services, streams, observe, countUse);
  mountHooks(app, messageSend, services, observe);
  mountOAuth(app, services, observe);
  refuseUnknownPaths(app, services, answerMissing);
  await app.ready();
  return app;
}

/** Builds an app for `/metrics` alone, for a port that clients do not reach. `buildApp` mounts it. */
export function buildMetricsApp(logger: ServerOptions['logger']): FastifyInstance {
  const app = createServer(API_PREFIX, { logger });
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? pathNotFound(request.method, request.url) : undefined);
  });
  return app;
}

/** The figures of a node that serves nothing over HTTP. */
const noFigures = (): Figures => ({
  requests: 0,
  requestMs: 0,
  limitedRequests: 0,
  failedRequests: 0,
  writes: 0,
  cpuMs: 0,
  memoryBytes: 0,
  streams: 0,
  isValkeyUp: null,
});

/** The dependencies of operations, with defaults. */
export function servicesOf(options: AppOptions): Services {
  const { db, deps, limits, seal, cursorKey, maxKeyAgeMs = Number.POSITIVE_INFINITY } = options;
  return {
    db,
    deps,
    limits,
    agentCeiling: options.agentCeiling ?? AGENT_CEILING,
    quotas: options.quotas ?? quotasFrom({}),
    files: options.files,
    exports: new Running('exports', options.bounds ?? defaultBounds),
    seal,
    peopleKey: Buffer.from(hkdfSync('sha256', cursorKey, '', 'palaver people', 32)).toString('base64url'),
    mail: options.mail,
    providers: new Providers(options.providers ?? [], options.address ?? ''),
    settings: new PlatformSettings(
      db,
      ownSettings(options.ownSettings),
      options.startSettings ?? (async () => []),
    ),
    maxKeyAgeMs,
    events,
    consequences,
    usersBeside,
    privateWebhooks: options.privateWebhooks ?? false,
    feed: options.feed ?? new Feed(db, deps, events),
    limiter: options.limiter ?? new MemoryLimiter(WINDOW_MS, deps.now),
    authenticator: new Authenticator(db, deps.now, maxKeyAgeMs),
    keyUse: keyUse(db, deps.now),
    keyCounts: new KeyCounts(deps.now),
    figures: noFigures,
    sessionUse: sessionUse(db, deps.now),
    cursors: new Cursors(cursorKey),
  };
}

/**
 * Answers unknown paths with NOT_FOUND before the body is read, so that no problem of the body is reported instead. A browser gets
 * the client's page that says so, but below `/api`, where programs are at home.
 */
function refuseUnknownPaths(app: FastifyInstance, services: Services, answerMissing: AnswerMissing): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const isAnswered = async (): Promise<boolean> => {
      if (request.url.startsWith(`${API_PREFIX}/`)) await admit(services, 'query', request, reply);
      return !/^\/+api(\/|\?|$)/i.test(request.url) && (await answerMissing(request, reply));
    };
    const refuse = (answered: boolean) => {
      if (!answered) done(pathNotFound(request.method, request.url));
    };
    isAnswered().then(refuse, done);
  });
}
