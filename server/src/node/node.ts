import type { FastifyInstance } from 'fastify';
import { type AppOptions, buildApp, buildMetricsApp } from '../app.ts';
import { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import type { Quotas } from '../limits/quotas.ts';
import { type Limits, limitsFrom } from '../limits/table.ts';
import type { MailSender } from '../mail/sender.ts';
import type { MailSettings } from '../mail/settings.ts';
import type { Operation } from '../operations/perform.ts';
import { startUpkeepLater } from '../removal/later.ts';
import { events } from '../resources/index.ts';
import { maxKeyAgeMs } from '../resources/secret/mint.ts';
import { toWebhook } from '../resources/webhook/webhookRecord.ts';
import { type Dispatcher, startWebhooks, type WebhookOptions } from '../webhooks/dispatcher.ts';
import { WebhookFigures } from '../webhooks/figures.ts';
import { type Data, type DataConfig, openData } from './data.ts';
import type { Peers } from './peers.ts';

/** While a node closes, idle connections are closed at this interval. */
const CLOSE_IDLE_INTERVAL_MS = 50;
/** A closing node waits this long for running requests, then closes their connections. */
const CLOSE_TIMEOUT_MS = 8_000;

interface Listening {
  port?: number;
  host?: string;
}

/** Without `logger`, nothing is logged. */
export interface NodeOptions
  extends Pick<
    AppOptions,
    'logger' | 'proxies' | 'hosts' | 'bounds' | 'address' | 'ownSettings' | 'startSettings' | 'providers'
  > {
  /** The settings of the data, or opened data, which the node does not close. */
  data: DataConfig | Data;
  /** Used if `data` are settings. Default: the real clock and randomness. */
  deps?: Deps;
  /** Rate limits. Default: those of the table. */
  limits?: Limits;
  /** The ceiling of all agents of a server together, as a multiple of one user's limit; 0 for none. */
  agentCeiling?: number;
  /** Quotas per server. Default: those of the table. */
  quotas?: Quotas;
  /** Days after which a key's value is refused as expired; 0 or left out for never. */
  maxKeyDays?: number;
  /** Allows webhooks to private, loopback and link-local addresses. */
  privateWebhooks?: boolean;
  /** Connects the node with the others on its data. If left out, the node is alone. */
  join?(data: Data): Promise<Peers>;
  /** Operations in addition to those of the resources. */
  further?: readonly Operation[];
  /**
   * Address to listen on; by default any free port of 127.0.0.1. If left out, the node does not listen:
   * requests can be injected.
   */
  listen?: Listening;
  /** A separate port for `/metrics`. If left out, it is served with everything else. */
  metrics?: Listening | undefined;
  /** Webhook options that tests replace. If left out, no webhooks are sent. */
  webhooks?: Partial<Pick<WebhookOptions, 'allowPrivate' | 'resolve'>>;
  /** The mail settings. If left out, no mail is sent. */
  mail?: MailSettings | undefined;
  /**
   * Deletes expired rows every minute, and events after `eventDays` days unless a platform admin overrides
   * that. If left out, nothing is deleted.
   */
  upkeep?: { eventDays: number };
}

/** A running node in this process. */
export interface RunningNode {
  readonly data: Data;
  readonly feed: Feed;
  readonly app: FastifyInstance;
  /** The URL at which it listens; empty if it does not. */
  readonly url: string;
  /** The URL at which `/metrics` is served. */
  readonly metricsUrl: string;
  /** Undefined if it sends no webhooks. */
  readonly webhooks: Dispatcher | undefined;
  /** Undefined if it sends no mail. */
  readonly mails: MailSender | undefined;
  /**
   * Graceful shutdown: reports itself as not ready, but keeps serving for `ms` milliseconds or until the
   * signal. Then accepts no more connections, and resolves within a second, once the open ones have had their
   * time. With 0 it does nothing.
   */
  drain(ms: number, signal: AbortSignal): Promise<void>;
  /** Completes running requests for up to 8 s, then closes connections and everything the node has opened. */
  close(): Promise<void>;
}

/**
 * Opens the data and serves it. Throws StorageError, or the error of `listen`, after closing what it has
 * opened.
 */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { limits = limitsFrom({}), logger, proxies, privateWebhooks = false, maxKeyDays = 0 } = options;
  const { hosts, bounds } = options;
  let isDraining = false;
  // Disposed of in reverse order: by this function if it throws, otherwise by `close`.
  await using opened = new AsyncDisposableStack();
  const data = await open(options, opened);
  const { relay, leave, ...shared } = (await options.join?.(data)) ?? alone;
  opened.defer(leave);
  const feed = new Feed(data.db, data.deps, events, relay);
  const figures = new WebhookFigures();
  const metrics = options.metrics && buildMetricsApp(logger);
  if (metrics) opened.defer(() => metrics.close());
  // Loaded only if mail is sent.
  const sending = options.mail && (await import('../mail/sender.ts'));
  const mailFigures = sending && new sending.MailFigures();
  let mails: MailSender | undefined;
  const app = await buildApp({
    ...data,
    ...shared,
    feed,
    limits,
    agentCeiling: options.agentCeiling,
    quotas: options.quotas,
    logger,
    proxies,
    maxKeyAgeMs: maxKeyAgeMs(maxKeyDays),
    hosts,
    address: options.address,
    ownSettings: options.ownSettings,
    startSettings: options.startSettings,
    mail: options.mail && { ...options.mail, wake: () => mails?.wake() },
    mailFigures,
    providers: options.providers,
    bounds,
    metrics,
    privateWebhooks,
    webhookFigures: options.webhooks && figures,
    further: options.further,
    isStopping: () => isDraining,
  });
  let webhooks: Dispatcher | undefined;
  let stopUpkeep: (() => Promise<void>) | undefined;
  opened.defer(async () => {
    // Each may wait for slow peers, so they stop concurrently.
    const othersStopped = Promise.all([webhooks?.stop(), mails?.stop()]);
    await closeApp(app);
    await othersStopped;
    await stopUpkeep?.();
  });
  const url = options.listen ? await app.listen({ ...anywhere, ...options.listen }) : '';
  const metricsUrl = metrics ? await metrics.listen({ ...anywhere, ...options.metrics }) : url;
  if (options.webhooks) {
    const defaults = { ...data, feed, figures, allowPrivate: privateWebhooks, toRecord: toWebhook };
    webhooks = startWebhooks({ ...defaults, ...options.webhooks }, app.log);
  }
  if (options.mail && sending && mailFigures)
    mails = new sending.MailSender({ ...data, settings: options.mail, figures: mailFigures }, app.log);
  if (options.upkeep) stopUpkeep = startUpkeepLater({ ...data, feed, ...options.upkeep }, app.log);
  const all = opened.move();
  return {
    data,
    feed,
    app,
    url,
    metricsUrl,
    webhooks,
    mails,
    async drain(ms, signal) {
      isDraining = true;
      if (ms > 0) await app.connections.drain(app, ms, signal);
    },
    close: () => all.disposeAsync(),
  };
}

const alone: Peers = { leave() {} };

/** Any free port, for this machine only. */
const anywhere = { port: 0, host: '127.0.0.1' };

async function open({ data, deps }: NodeOptions, opened: AsyncDisposableStack): Promise<Data> {
  if ('db' in data) return data;
  const own = await openData(data, deps);
  opened.defer(() => own.db.close());
  return own;
}

/** Closes the app once its clients have their responses, or after `CLOSE_TIMEOUT_MS`. */
async function closeApp(app: FastifyInstance): Promise<void> {
  // Keep-alive connections become idle after their response, and clients may keep them open for long.
  const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS);
  const rest = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(rest);
  }
}
