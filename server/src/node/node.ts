import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp, buildMetricsApp } from '../app.ts';
import type { LaterClock } from '../clock/later.ts';
import { Feed } from '../feed/feed.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import type { Deps } from '../lib/deps.ts';
import { DiskSpace, type Disks, type Measure } from '../lib/diskSpace.ts';
import type { Pulse } from '../lib/pulse.ts';
import type { SecondFactorRule } from '../lib/secondFactor.ts';
import type { Quotas } from '../limits/quotas.ts';
import { MEGABYTE } from '../limits/room.ts';
import { type Limits, limitsFrom } from '../limits/table.ts';
import type { MailSender } from '../mail/sender.ts';
import type { MailSettings } from '../mail/settings.ts';
import type { Operation } from '../operations/perform.ts';
import { startUpkeepLater } from '../removal/later.ts';
import { events } from '../resources/index.ts';
import { maxKeyAgeMs } from '../resources/secret/mint.ts';
import { toWebhook } from '../resources/webhook/webhookRecord.ts';
import { type Dispatcher, startWebhooks } from '../webhooks/dispatcher.ts';
import { WebhookFigures } from '../webhooks/figures.ts';
import type { WebhookOptions } from '../webhooks/options.ts';
import { closeApp } from './closeApp.ts';
import { type Data, type DataConfig, openData } from './data.ts';
import type { Peers } from './peers.ts';
import { pulseOf } from './pulse.ts';
import { prepareReaching, type Senders } from './reaching.ts';
import { startTimers } from './timers.ts';

interface Listening {
  port?: number;
  host?: string;
}

type GivenOptions = 'logger' | 'proxies' | 'hosts' | 'bounds' | 'address' | 'ownSettings' | 'startSettings';
/** If `logger` is omitted, nothing is logged. */
export interface NodeOptions extends Pick<AppOptions, GivenOptions | 'providers' | 'clientDocuments'> {
  /** Either data settings, or opened data, which the node does not close. */
  data: DataConfig | Data;
  /** Used only if `data` contains settings. Defaults to the real clock and randomness. */
  deps?: Deps;
  /** Rate limits. Defaults to the built-in table. */
  limits?: Limits;
  /** Combined rate limit of all agents on a server, as a multiple of one user's limit; 0 for no limit. */
  agentCeiling?: number;
  /** The quotas per server. Defaults to the built-in table. */
  quotas?: Quotas;
  /**
   * Changes are rejected if fewer megabytes than this are free (see `disksOf`). If omitted, they are never
   * rejected.
   */
  minFreeMegabytes?: number;
  /** Measures the free space. Defaults to asking the operating system. */
  measureDisk?: Measure;
  /** Days after which a key's value expires. If 0 or omitted, keys never expire. */
  maxKeyDays?: number;
  /** The people who need two-factor authentication or a passkey; nobody if omitted. */
  secondFactor?: SecondFactorRule;
  /** The URL template for calls. If empty or omitted, calls are turned off. */
  callUrl?: string;
  flowBounds?: AppOptions['flowBounds'];
  /** Whether webhooks to private, loopback and link-local addresses are allowed. */
  privateWebhooks?: boolean;
  /** The only hosts that webhooks may be sent to; all if empty. */
  webhookHosts?: readonly string[];
  /** Connects to the other nodes that share the data. If omitted, the node runs alone. */
  join?(data: Data): Promise<Peers>;
  /** Operations in addition to those of the resources. */
  further?: readonly Operation[];
  /** Additional methods and tools of the MCP endpoint. Only tests set it. */
  mcp?: AppOptions['mcp'];
  /**
   * Address to listen on. Its fields default to any free port on 127.0.0.1. If omitted, the node does not
   * listen, but requests can be injected.
   */
  listen?: Listening;
  /** A separate port for `/metrics`, or `open` to serve it on the main port. If omitted, it is not served. */
  metrics?: Listening | 'open' | undefined;
  /** Webhook options that tests override. If omitted, no webhooks are sent. */
  webhooks?: Partial<Pick<WebhookOptions, 'allowedHosts' | 'resolve' | 'maxClaimed'>>;
  /** The push service hosts that are allowed. If omitted, no pushes are sent. */
  push?: AllowedHosts | undefined;
  /** The mail settings. If omitted, no mail is sent. */
  mail?: MailSettings | undefined;
  /** Whether the node runs due timers, such as those of scheduled messages. If omitted, it does not. */
  timers?: boolean;
  /**
   * Sweeps dependents of deleted rows. On one node at a time, also deletes expired rows every minute, and
   * events after `eventDays` days unless a platform admin overrides that. If omitted, there is no upkeep.
   */
  upkeep?: { eventDays: number };
}

/** A node running in this process. */
export interface RunningNode {
  readonly data: Data;
  readonly disks: Disks;
  readonly feed: Feed;
  readonly app: FastifyInstance;
  /** The URL the node listens on; empty if it does not listen. */
  readonly url: string;
  /** The URL of `/metrics`; empty if it is not served. */
  readonly metricsUrl: string;
  /** Undefined if the node sends no webhooks. */
  readonly webhooks: Dispatcher | undefined;
  /** Undefined if the node runs no timers. */
  readonly clock: LaterClock | undefined;
  readonly senders: Senders;
  /** Undefined if the node sends no mail. */
  readonly mails: MailSender | undefined;
  /**
   * Starts a graceful shutdown. The node reports that it is not ready, but keeps serving for `ms`
   * milliseconds or until the signal aborts. It then stops accepting connections, gives open ones up to half
   * a second to finish, and resolves. If `ms` is 0, it only reports that it is not ready.
   */
  drain(ms: number, signal: AbortSignal): Promise<void>;
  /** Waits up to 8 s for running requests, then closes all connections and everything the node opened. */
  close(): Promise<void>;
}

/**
 * Opens the data and serves it. Throws StorageError, or the error from `listen`, after closing everything
 * it opened.
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const allowedHosts = allowedHostsOf(options);
  let isDraining = false;
  // The resources on this stack are disposed in reverse order: by this function if it throws, otherwise by
  // `close`.
  await using opened = new AsyncDisposableStack();
  const data = await open(options, opened);
  const { relay, leave, ...shared } = (await options.join?.(data)) ?? alone;
  opened.defer(leave);
  const pulse = pulseOf(data);
  const feed = new Feed(data.db, data.deps, events, relay, pulse);
  const figures = new WebhookFigures();
  const metrics = typeof options.metrics === 'object' ? buildMetricsApp(options.logger) : undefined;
  if (metrics) opened.defer(() => metrics.close());
  const { push, mail, address = '' } = options;
  const resolve = options.webhooks?.resolve;
  const reaching = await prepareReaching({ data, pulse, push, mail, address, resolve });
  const disks = disksOf(data, options);
  const app = await buildApp({
    ...data,
    ...shared,
    feed,
    ...appOptionsOf(options),
    ...reaching.given,
    disks,
    metrics: metrics ?? (options.metrics === 'open' ? 'open' : undefined),
    allowedHosts,
    webhookFigures: options.webhooks && figures,
    isStopping: () => isDraining,
  });
  app.server.on('request', ({ method }) => {
    if (method !== 'GET') pulse.active();
  });
  const started: Started = { senders: {} };
  opened.defer(async () => {
    // Each service may wait for slow peers, so they are stopped concurrently.
    const stopping = [started.webhooks?.stop(), reaching.stop(), started.timers?.stop()];
    await closeApp(app, Promise.all(stopping));
    await started.stopUpkeep?.();
  });
  const urls = await listen(app, metrics, options);
  startServices(started, options, { app, reaching, data: { ...data, feed, pulse }, figures, allowedHosts });
  const all = opened.move();
  return {
    data,
    disks,
    feed,
    app,
    ...urls,
    webhooks: started.webhooks,
    clock: started.timers?.clock,
    senders: started.senders,
    mails: started.senders.mails,
    async drain(ms, signal) {
      isDraining = true;
      if (ms > 0) await app.connections.drain(app, ms, signal);
    },
    close: () => all.disposeAsync(),
  };
}

/** Returns the options that the app takes over from the node, with defaults. */
function appOptionsOf(options: NodeOptions) {
  const { limits = limitsFrom({}), logger, proxies, hosts, address, bounds } = options;
  return {
    limits,
    agentCeiling: options.agentCeiling,
    quotas: options.quotas,
    logger,
    proxies,
    maxKeyAgeMs: maxKeyAgeMs(options.maxKeyDays ?? 0),
    hosts,
    address,
    ownSettings: options.ownSettings,
    startSettings: options.startSettings,
    providers: options.providers,
    clientDocuments: { resolve: options.webhooks?.resolve, ...options.clientDocuments },
    bounds,
    ...(options.secondFactor && { secondFactor: options.secondFactor }),
    callUrl: options.callUrl,
    flowBounds: options.flowBounds,
    further: options.further,
    mcp: options.mcp,
  } satisfies Partial<AppOptions>;
}

/** Returns the hosts that webhooks may be sent to. */
const allowedHostsOf = ({
  privateWebhooks: allowPrivate = false,
  webhookHosts: hosts = [],
}: NodeOptions): AllowedHosts => ({ allowPrivate, hosts });

/** Starts to listen, on the main port and on the port of the metrics. */
async function listen(
  app: FastifyInstance,
  metrics: FastifyInstance | undefined,
  options: Pick<NodeOptions, 'listen' | 'metrics'>,
): Promise<Pick<RunningNode, 'url' | 'metricsUrl'>> {
  const url = options.listen ? await app.listen({ ...anywhere, ...options.listen }) : '';
  if (!metrics) return { url, metricsUrl: options.metrics === 'open' ? url : '' };
  const metricsUrl = await metrics.listen({
    ...anywhere,
    ...(typeof options.metrics === 'object' && options.metrics),
    listenTextResolver: (address) => `metrics are served at ${address}`,
  });
  return { url, metricsUrl };
}

/** The services that have started, so that they can be stopped if another one fails to start. */
interface Started {
  webhooks?: Dispatcher;
  senders: Senders;
  timers?: ReturnType<typeof startTimers>;
  stopUpkeep?(): Promise<void>;
}

interface Parts extends Pick<WebhookOptions, 'figures' | 'allowedHosts'> {
  app: FastifyInstance;
  reaching: Awaited<ReturnType<typeof prepareReaching>>;
  data: Data & { feed: Feed; pulse: Pulse };
}

/** Starts the services that the node runs alongside the app. */
function startServices(
  started: Started,
  options: Pick<NodeOptions, 'webhooks' | 'timers' | 'upkeep'>,
  { app, reaching, data, figures, allowedHosts }: Parts,
): void {
  if (options.webhooks) {
    const defaults = { ...data, figures, allowedHosts, toRecord: toWebhook };
    started.webhooks = startWebhooks({ ...defaults, ...options.webhooks }, app.log);
  }
  started.senders = reaching.start(app.log);
  if (options.timers) started.timers = startTimers(app, data);
  if (options.upkeep) started.stopUpkeep = startUpkeepLater({ ...data, ...options.upkeep }, app.log);
}

/**
 * Returns the disks of the database and of the files. This process cannot see the disk of a database server
 * or of a bucket. With a bucket, it checks the disk of the local staging folder for uploads.
 */
function disksOf(
  { folder, files, db }: Pick<Data, 'folder' | 'files' | 'db'>,
  { minFreeMegabytes = 0, measureDisk: measure }: Pick<NodeOptions, 'minFreeMegabytes' | 'measureDisk'>,
): Disks {
  const leastBytes = minFreeMegabytes * MEGABYTE;
  const isEmbedded = db.read.dialect.name === 'sqlite';
  return {
    data: new DiskSpace({ folder: isEmbedded ? folder : undefined, leastBytes, measure }),
    files: new DiskSpace({ folder: files.folder ?? folder, leastBytes, measure }),
  };
}

const alone: Peers = { leave() {} };

/** Any free port, reachable only from this machine. */
const anywhere = { port: 0, host: '127.0.0.1' };

async function open({ data, deps, logger }: NodeOptions, opened: AsyncDisposableStack): Promise<Data> {
  if ('db' in data) return data;
  const own = await openData(data, deps, { report: (line) => logger?.warn(line) });
  opened.defer(() => own.db.close());
  return own;
}
