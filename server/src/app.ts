import { hkdfSync } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from './access/authenticator.ts';
import { KeyCounts } from './access/keyCounts.ts';
import { grantUse, keyUse, sessionUse } from './access/lastUse.ts';
import { FailedAttempts } from './accounts/history/failedAttempts.ts';
import { type ClientDocumentOptions, LoadedClientDocuments } from './accounts/oauth/clientDocuments.ts';
import { mountOAuth } from './accounts/oauth/mount.ts';
import { Providers } from './accounts/openid/providers.ts';
import type { ProviderSettings } from './accounts/openid/settings.ts';
import type { AnyTimer } from './clock/timers.ts';
import type { Db } from './db/contract.ts';
import { unsubscribeKeyOf } from './digest/link.ts';
import { mountUnsubscribe } from './digest/mount.ts';
import { Feed } from './feed/feed.ts';
import type { Files } from './files/files.ts';
import { watchHandlers } from './http/handlers.ts';
import { mountHooks } from './http/hooks/hooks.ts';
import { InFlight } from './http/inFlight.ts';
import { type McpExtension, mountMcp } from './http/mcp/mount.ts';
import { mount } from './http/mount.ts';
import { countKeys } from './http/observe/keys.ts';
import { measure, type PushFigures, type WebhookFigures } from './http/observe/metrics.ts';
import { mountMetrics, mountProbes } from './http/observe/probes.ts';
import { mountDocument } from './http/openapi/serve.ts';
import { mountPages } from './http/pages/mount.ts';
import { createServer, pathNotFound, type ServerOptions } from './http/server.ts';
import { Site } from './http/site.ts';
import { Streams } from './http/streams/streams.ts';
import { refuseUnknownPaths } from './http/unknownPaths.ts';
import { Unread } from './http/unread.ts';
import { mountWeb } from './http/web/mount.ts';
import { jobs } from './imports/jobs.ts';
import type { AllowedHosts } from './lib/allowedHosts.ts';
import { Background } from './lib/background.ts';
import type { Deps } from './lib/deps.ts';
import { DiskSpace, type Disks } from './lib/diskSpace.ts';
import { late } from './lib/late.ts';
import type { Seal } from './lib/seal.ts';
import type { SecondFactorRule } from './lib/secondFactor.ts';
import type { Valkey } from './lib/valkey.ts';
import { type Bounds, defaultBounds, defaultFlowBounds, type FlowBounds } from './limits/bounds.ts';
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
import { pushKeyOf } from './push/key.ts';
import { consequences } from './resources/consequences.ts';
import { runDue } from './resources/due.ts';
import type { FlowEngine } from './resources/flow/engine/engine.ts';
import { events, hookOperations, operations, tagGroups } from './resources/index.ts';
import { performWithin } from './resources/performWithin.ts';
import { usersBeside } from './resources/user.ts';

export type { ServerOptions };

declare module 'fastify' {
  interface FastifyInstance {
    /** Handles a claimed timer that does not belong to a flow (see `ClockOptions`). */
    runDue(timer: AnyTimer): Promise<void>;
    /** Creates the flow engine. It is loaded once the node has served its first requests. */
    createFlows(lookAtTimers: () => void): Promise<FlowEngine>;
  }
}

export interface AppOptions extends ServerOptions {
  db: Db;
  deps: Deps;
  limits: Limits;
  /** Combined rate limit of all agents in a server, as a multiple of one user's limit; 0 for no limit. */
  agentCeiling?: number | undefined;
  /** Quotas per server; the defaults if omitted. */
  quotas?: Quotas | undefined;
  seal: Seal;
  files: Files;
  /** The disks whose free space is checked; none if omitted. */
  disks?: Disks | undefined;
  /** The key that authenticates cursors: 32 bytes that must not change on a restart. */
  cursorKey: Uint8Array;
  /** Concurrency limits; the defaults if omitted. */
  bounds?: Bounds | undefined;
  /** The app that serves `/metrics`, or `open` for the main port. If omitted, `/metrics` is not served. */
  metrics?: FastifyInstance | 'open' | undefined;
  /**
   * Whether this process is shutting down. It still serves requests, but `/readyz` tells load balancers to
   * stop sending them.
   */
  isStopping?(): boolean;
  /** The mail queue. If omitted, no mail is sent. */
  mail?: Outbox | undefined;
  /** Mail metrics, for `/metrics`. */
  mailFigures?: MailFigures | undefined;
  /** The sign-in providers; none if omitted. They require an `address`. */
  providers?: readonly ProviderSettings[] | undefined;
  /** This node's values of the settings that platform admins can override; the defaults if omitted. */
  ownSettings?: Partial<OwnSettings> | undefined;
  /** All settings with which the node was started, for platform admins to see; none if omitted. */
  startSettings?: StartSettings | undefined;
  /** The rate limiter. If omitted, this process counts requests on its own. */
  limiter?: Limiter;
  /** The feed that follows the logs. Defaults to one without notifications from other processes. */
  feed?: Feed;
  /** Age in ms at which a key's value expires. If omitted, keys never expire. */
  maxKeyAgeMs?: number;
  /** The people who need two-factor authentication or a passkey; nobody if omitted. */
  secondFactor?: SecondFactorRule;
  /** The URL template for calls. If empty or omitted, calls are turned off. */
  callUrl?: string | undefined;
  /** Limits on flows; the defaults if omitted. */
  flowBounds?: FlowBounds | undefined;
  /** The hosts that webhooks may be sent to; all public hosts if omitted. */
  allowedHosts?: AllowedHosts;
  /** The hosts of push services that are allowed; all public hosts if omitted. */
  pushHosts?: AllowedHosts;
  /** The hosts that apps' metadata documents may be loaded from. Defaults to public addresses with TLS. */
  clientDocuments?: Partial<ClientDocumentOptions> | undefined;
  /** The Valkey instance that the nodes share, for `/readyz` and `/metrics`. */
  valkey?: Pick<Valkey, 'up' | 'reason' | 'figures'>;
  /** Webhook delivery metrics, for `/metrics`. */
  webhookFigures?: WebhookFigures | undefined;
  /** Push delivery metrics, for `/metrics`. */
  pushFigures?: PushFigures | undefined;
  /** Operations in addition to those of the resources. */
  further?: readonly Operation[];
  /** Additional methods and tools of the MCP endpoint. Only tests set it. */
  mcp?: McpExtension | undefined;
}

/** Builds the app with all its routes, ready to listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { db, valkey, isStopping = () => false, further = [], bounds = defaultBounds } = options;
  const services = servicesOf(options);
  const streams = new Streams(services.authenticator, bounds, services.feed.presences);
  const app = createServer(API_PREFIX, options);
  watchHandlers(app, services.background);
  app.decorate('runDue', (timer) => runDue(services, timer, jobs, app.log));
  app.decorate('createFlows', async (lookAtTimers) => {
    const { FlowEngine } = await import('./resources/flow/engine/engine.ts');
    return new FlowEngine(services, app.log, lookAtTimers);
  });
  countKeys(app, services.keyCounts);
  const unread = new Unread(bounds.unreadMegabytes * 1024 * 1024);
  app.decorate('unread', unread);
  const inFlight = new InFlight(bounds.requests);
  app.decorate('inFlight', inFlight);
  app.decorate('site', new Site(options.address ?? ''));
  const uploads = new Running('uploads', bounds);
  app.decorate('uploads', uploads);
  let stopping = false;
  app.addHook('preClose', async () => {
    stopping = true;
    // Connections with a request in progress close with its response.
    app.connections.endWithAnswers = true;
    streams.close();
    services.feed.close();
  });
  app.addHook('onClose', () => services.feed.deltas.holder?.close());
  app.addHook('onClose', () => services.sessionUse.write());
  app.addHook('onClose', () => services.failedAttempts.write());
  const { metrics, observe, countUse, figures } = measure({
    services,
    streams,
    unread,
    inFlight,
    uploads,
    valkey,
    webhooks: options.webhookFigures,
    pushes: options.pushFigures,
    mails: options.mailFigures,
  });
  services.figures = figures;
  mountProbes(app, { db, valkey, disks: services.disks, isStopping: () => stopping || isStopping() });
  const ofMetrics = options.metrics === 'open' ? app : options.metrics;
  if (ofMetrics) mountMetrics(ofMetrics, metrics);

  const served = [...operations, ...further];
  mountDocumentation(app, served);
  const answerMissing = mountWeb(app);
  mount(app, served, services, streams, observe, countUse);
  mountHooks(app, hookOperations, services, observe, () => import('./resources/flow/hooked.ts'));
  mountMcp(app, served, { services, streams, observe, extension: options.mcp });
  mountOAuth(app, services, observe);
  mountUnsubscribe(app, services, unsubscribeKeyOf(options.cursorKey), observe);
  refuseUnknownPaths(app, services, answerMissing);
  await app.ready();
  return app;
}

/** Mounts the OpenAPI document, and the pages that are rendered from it. */
function mountDocumentation(app: FastifyInstance, served: readonly Operation[]): void {
  const describe = late(async () => {
    const { openApiDocument } = await import('./http/openapi/document.ts');
    return (address: string) => openApiDocument(served, events, tagGroups, address);
  });
  mountDocument(app, describe);
  mountPages(app, async () => (await describe())('/'));
}

/** Builds an app that serves only `/metrics`, for a separate port. `buildApp` adds the route. */
export function buildMetricsApp(logger: ServerOptions['logger']): FastifyInstance {
  const app = createServer(API_PREFIX, { logger });
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? pathNotFound(request.method, request.url) : undefined);
  });
  return app;
}

/** Returns the metrics of a process that does not serve HTTP. */
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

/** A disk whose free space is unknown. */
const unknownDisk = new DiskSpace({ folder: undefined, leastBytes: 0 });

/** Creates the services that operations use. Omitted options get their defaults. */
export function servicesOf(options: AppOptions): Services {
  const { db, deps, limits, seal, cursorKey, maxKeyAgeMs = Number.POSITIVE_INFINITY } = options;
  const { startSettings = async () => [] } = options;
  const services: Services = {
    db,
    deps,
    limits,
    agentCeiling: options.agentCeiling ?? AGENT_CEILING,
    quotas: options.quotas ?? quotasFrom({}),
    files: options.files,
    disks: options.disks ?? { data: unknownDisk, files: unknownDisk },
    background: new Background(),
    exports: new Running('exports', options.bounds ?? defaultBounds),
    seal,
    peopleKey: Buffer.from(hkdfSync('sha256', cursorKey, '', 'palaver people', 32)).toString('base64url'),
    mail: options.mail,
    providers: new Providers(options.providers ?? [], options.address ?? ''),
    settings: new PlatformSettings(db, ownSettings(options.ownSettings), startSettings),
    maxKeyAgeMs,
    events,
    consequences,
    usersBeside,
    secondFactor: options.secondFactor ?? 'off',
    callUrl: options.callUrl ?? '',
    exportMegabytes: (options.bounds ?? defaultBounds).exportMegabytes,
    importMegabytes: (options.bounds ?? defaultBounds).importMegabytes,
    flowBounds: options.flowBounds ?? defaultFlowBounds,
    allowedHosts: options.allowedHosts ?? { allowPrivate: false, hosts: [] },
    pushHosts: options.pushHosts ?? { allowPrivate: false, hosts: [] },
    pushKey: pushKeyOf({ db, deps, seal }),
    clientDocuments: new LoadedClientDocuments({
      allowPrivate: false,
      now: deps.now,
      ...options.clientDocuments,
    }),
    feed: options.feed ?? new Feed(db, deps, events),
    limiter: options.limiter ?? new MemoryLimiter(WINDOW_MS, deps.now),
    authenticator: new Authenticator(db, deps.now, maxKeyAgeMs),
    keyUse: keyUse(db, deps.now),
    grantUse: grantUse(db, deps.now),
    keyCounts: new KeyCounts(deps.now),
    figures: noFigures,
    sessionUse: sessionUse(db, deps.now),
    failedAttempts: new FailedAttempts({ db, deps }),
    cursors: new Cursors(cursorKey),
    performWithin: (...given) => performWithin(services, ...given),
  };
  return services;
}
