import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { buildApp } from '../app.ts';
import { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import { type Limits, limitsFrom } from '../limits/table.ts';
import type { Operation } from '../operations/perform.ts';
import { events } from '../resources/index.ts';
import { toWebhook } from '../resources/webhook/record.ts';
import { type Dispatcher, startWebhooks, type WebhookOptions } from '../webhooks/dispatcher.ts';
import { type Data, type DataConfig, openData } from './data.ts';
import type { Peers } from './peers.ts';
import { startUpkeep } from './upkeep/index.ts';

/** How often connections that became idle are closed while a node closes, in milliseconds. */
const HANG_UP_PERIOD_MS = 50;
/** How long a node that closes waits for its clients before it closes their connections. */
const HANG_UP_MS = 8_000;

export interface NodeOptions {
  /** Where the data are; or the data themselves if they are open: those stay open. */
  data: DataConfig | Data;
  /** Time, randomness and identifiers for data that are not open yet. */
  deps?: Deps;
  /** Rate limits; those of the table if left out. */
  limits?: Limits;
  /** Nothing is logged if left out. */
  logger?: FastifyBaseLogger;
  /** Reverse proxies in front that tell the client's address. */
  proxies?: number;
  /** Lets webhooks be sent to private, loopback and link-local addresses. */
  privateWebhooks?: boolean;
  /** Connects the node with others on its data; it knows of no other if left out. */
  join?(data: Data): Promise<Peers>;
  /** Operations beside those of the resources. */
  further?: readonly Operation[];
  /** Listens here; on any free port of 127.0.0.1 for `{}`. Requests can only be injected if left out. */
  listen?: { port?: number; host?: string };
  /** Sends webhooks, for `{}` as the other options say; tests give what differs. Sends none if left out. */
  webhooks?: Partial<Pick<WebhookOptions, 'allowPrivate' | 'resolve'>>;
  /** Removes old rows once a minute, and events after so many days. Removes nothing if left out. */
  upkeep?: { eventDays: number };
}

/** A Palaver that runs in this process. */
export interface RunningNode {
  readonly data: Data;
  readonly feed: Feed;
  readonly app: FastifyInstance;
  /** The URL that it listens at; empty if it does not listen. */
  readonly url: string;
  /** Undefined where it sends no webhooks. */
  readonly webhooks: Dispatcher | undefined;
  /** Goes on serving, but tells balancers and clients to turn elsewhere. */
  drain(): void;
  /** Answers what is in flight, hangs up after 8 seconds, and closes what the node has opened. */
  close(): Promise<void>;
}

/** Opens the data and serves them. Closes what it has opened if it fails. Throws `StorageError`, or what `listen` throws. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { limits = limitsFrom({}), logger, proxies, privateWebhooks = false } = options;
  let isDraining = false;
  // Closes in the reverse order; by itself unless the end of this function is reached.
  await using opened = new AsyncDisposableStack();
  const data = await open(options, opened);
  const { relay, leave, ...shared } = (await options.join?.(data)) ?? alone;
  opened.defer(leave);
  const feed = new Feed(data.db, data.deps, events, relay);
  const app = await buildApp({
    ...data,
    ...shared,
    feed,
    limits,
    logger,
    proxies,
    privateWebhooks,
    further: options.further,
    isStopping: () => isDraining,
  });
  let webhooks: Dispatcher | undefined;
  let stopUpkeep: (() => Promise<void>) | undefined;
  opened.defer(async () => {
    // Both at once: each waits for somebody outside.
    const webhooksStopped = webhooks?.stop();
    await hangUp(app);
    await webhooksStopped;
    await stopUpkeep?.();
  });
  const url = options.listen ? await app.listen({ port: 0, host: '127.0.0.1', ...options.listen }) : '';
  if (options.webhooks) {
    const { webhooks: given } = options;
    const sending = { ...data, feed, allowPrivate: privateWebhooks, shown: toWebhook, ...given };
    webhooks = startWebhooks(sending, app.log);
  }
  if (options.upkeep) stopUpkeep = startUpkeep({ ...data, feed, ...options.upkeep }, app.log);
  const all = opened.move();
  return {
    data,
    feed,
    app,
    url,
    webhooks,
    drain() {
      isDraining = true;
    },
    close: () => all.disposeAsync(),
  };
}

const alone: Peers = { leave() {} };

async function open({ data, deps }: NodeOptions, opened: AsyncDisposableStack): Promise<Data> {
  if ('db' in data) return data;
  const own = await openData(data, deps);
  opened.defer(() => own.db.close());
  return own;
}

/** Closes the app once its clients have their answers, or after `HANG_UP_MS`. */
async function hangUp(app: FastifyInstance): Promise<void> {
  // A connection becomes idle with its answer, and its client may keep it open for long.
  const idle = setInterval(() => app.server.closeIdleConnections(), HANG_UP_PERIOD_MS);
  const rest = setTimeout(() => app.server.closeAllConnections(), HANG_UP_MS);
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(rest);
  }
}
