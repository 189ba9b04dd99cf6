import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import { late } from '../lib/late.ts';
import type { Seal } from '../lib/seal.ts';

import { AskedDeliveries } from './asked.ts';
import { type DeliveryContext, deliver } from './courier.ts';
import { WebhookFigures } from './figures.ts';
import type { Resolve } from './guard.ts';
import { Slots } from './slots.ts';
import { LEASE_MS, type Scope, Store, WebhookGone } from './store.ts';

/** The time between two renewals of the leases. */
const RENEW_INTERVAL_MS = 5_000;
/** The time between two looks for retries that are due. */
const DUE_INTERVAL_MS = 1_000;
/** The time between two looks at all webhooks. */
const SCAN_INTERVAL_MS = 5_000;
/** Events claim no webhook that was found busy less than this time ago. */
const BUSY_MS = 5_000;
/** Concurrent requests of first attempts, and of retries, beside one for each server. */
const FIRST_REQUESTS = { shared: 200, perServer: 100 };
const RETRY_REQUESTS = { shared: 50, perServer: 25 };
/** Webhooks claimed at the same time, of all servers and of one. */
const MAX_CLAIMED = 2_000;
const MAX_CLAIMED_OF_SERVER = 200;
/** Webhooks claimed in one transaction. */
const BATCH_WEBHOOKS = 200;
/** A stop cuts requests off that take longer than this. */
const STOP_TIMEOUT_MS = 4_000;

export interface WebhookOptions {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  /** Allows private, loopback and link-local addresses. */
  allowPrivate: boolean;
  /** The record of a webhook, as its events show it. */
  toRecord(row: RowOf<'webhook'>): unknown;
  /** Counts what is sent; left out, nobody reads the figures. */
  figures?: WebhookFigures;
  /** Replaces DNS, for tests. */
  resolve?: Resolve;
}

/** Starts to send events to the webhooks of all servers, until `stop`. */
export function startWebhooks(options: WebhookOptions, log: FastifyBaseLogger): Dispatcher {
  return new Dispatcher(options, log);
}

/**
 * Finds webhooks with events to send, claims them, so that no other node sends the same events, and delivers their
 * events.
 */
export class Dispatcher {
  readonly #db: Db;
  readonly #log: FastifyBaseLogger;
  readonly #store: Store;
  readonly #context: DeliveryContext;
  readonly #asked: AskedDeliveries;
  /** The deliveries under way, by the ids of the claimed webhooks. */
  readonly #claimed = new Map<string, { serverId: string; running: Promise<void> }>();
  /** The ids of the enabled webhooks, by server. */
  #enabled = new Map<string, string[]>();
  /** The `authorityVersion` of `#enabled`. */
  #enabledVersion = Number.NaN;
  /** By webhook: no event claims it before this time, by `performance.now()`. */
  readonly #busyUntil = new Map<string, number>();
  /** The servers with new events. */
  readonly #woken = new Set<string>();
  #isTaking = false;
  #taking = Promise.resolve();
  /** The end of the leases of all claimed webhooks, by `performance.now()`. */
  #leasedUntil = Number.POSITIVE_INFINITY;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();

  constructor(
    { db, deps, feed, seal, allowPrivate, toRecord, figures = new WebhookFigures(), resolve }: WebhookOptions,
    log: FastifyBaseLogger,
  ) {
    this.#db = db;
    this.#log = log;
    this.#store = new Store(db, deps, randomUUID());
    this.#context = {
      db,
      deps,
      feed,
      seal,
      store: this.#store,
      figures,
      slots: { first: new Slots(FIRST_REQUESTS), retry: new Slots(RETRY_REQUESTS) },
      send: sender(allowPrivate, resolve, this.#cutOff.signal),
      toRecord,
      onDisabled: ({ id, serverId }, reason) => {
        figures.disabled[reason]++;
        log.warn({ webhookId: id, serverId, reason }, 'a webhook was disabled');
        feed.wake([serverId]);
      },
      hasLease: () => performance.now() < this.#leasedUntil,
    };
    this.#asked = new AskedDeliveries(this.#context, this.#stopping.signal, (error) => this.#logError(error));
    feed.onWake((serverId) => this.#wake(serverId));
    this.#every(RENEW_INTERVAL_MS, () => this.#renew());
    this.#every(DUE_INTERVAL_MS, () => this.#take('due'));
    this.#every(DUE_INTERVAL_MS, () => this.#asked.look());
    this.#every(SCAN_INTERVAL_MS, () => this.#take('all'));
    void this.#logErrors(() => this.#take('all'));
  }

  /** Claims all webhooks with something to send now, without waiting for the next scan. */
  async poll(): Promise<void> {
    await Promise.all([this.#take('all'), this.#asked.look()]);
  }

  /** Waits up to 4 s for requests under way, then releases all webhooks: other nodes take over at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    const done = Promise.all([
      this.#asked.end(),
      ...[...this.#claimed.values()].map(({ running }) => running),
    ]);
    await Promise.race([done, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#cutOff.abort();
    await done;
    await this.#taking;
    await this.#logErrors(() => this.#store.releaseAll());
  }

  #every(period: number, work: () => Promise<unknown>): void {
    let running = false;
    const timer = setInterval(async () => {
      if (running) return;
      running = true;
      await this.#logErrors(work);
      running = false;
    }, period);
    timer.unref();
    this.#timers.push(timer);
  }

  async #logErrors(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error) => this.#logError(error));
  }

  #logError(error: unknown): void {
    this.#log.warn({ err: error }, 'webhooks failed and will be tried again');
  }

  /** Claims the webhooks of a server with new events. Servers woken meanwhile share the next round. */
  #wake(serverId: string): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#enabledVersion === this.#db.authorityVersion() && !this.#enabled.has(serverId)) return;
    this.#woken.add(serverId);
    if (this.#isTaking) return;
    this.#isTaking = true;
    this.#taking = this.#logErrors(() => this.#takeWoken());
  }

  async #takeWoken(): Promise<void> {
    try {
      while (this.#woken.size > 0) {
        const servers = [...this.#woken];
        this.#woken.clear();
        await this.#loadEnabled();
        await this.#takeOf(servers);
      }
    } finally {
      this.#isTaking = false;
    }
  }

  async #takeOf(servers: readonly string[]): Promise<void> {
    const now = performance.now();
    const ids = servers
      .flatMap((serverId) => this.#enabled.get(serverId) ?? [])
      .filter((id) => !this.#claimed.has(id) && (this.#busyUntil.get(id) ?? 0) <= now);
    if (ids.length === 0) return;
    const taken = new Set(await this.#take({ ids }));
    const others = ids.filter((id) => !taken.has(id));
    if (others.length === 0) return;
    // Otherwise every event of a busy server would try to claim them again.
    for (const id of await this.#store.busy(others)) this.#busyUntil.set(id, now + BUSY_MS);
  }

  async #loadEnabled(): Promise<void> {
    const version = this.#db.authorityVersion();
    if (version === this.#enabledVersion) return;
    const enabled = await this.#store.enabled();
    this.#enabled = new Map(
      [...Map.groupBy(enabled, ({ serverId }) => serverId)].map(([server, all]) => [
        server,
        all.map(({ id }) => id),
      ]),
    );
    this.#enabledVersion = version;
    this.#busyUntil.clear();
  }

  /** Claims webhooks with events to send, and starts their deliveries. Returns their ids. */
  async #take(scope: Scope): Promise<string[]> {
    const taken: string[] = [];
    for (;;) {
      const room = Math.min(BATCH_WEBHOOKS, MAX_CLAIMED - this.#claimed.size);
      if (room <= 0 || this.#stopping.signal.aborted) return taken;
      if (this.#claimed.size > 0 && !this.#context.hasLease()) return taken;
      const free = await this.#free(scope, room);
      if (free.size === 0) return taken;
      const asked = performance.now();
      const claimed = await this.#store.claim([...free.keys()]);
      if (this.#claimed.size === 0) this.#leasedUntil = asked + LEASE_MS;
      for (const id of claimed) if (!this.#claimed.has(id)) this.#start(id, free.get(id) as string);
      taken.push(...claimed);
      if (claimed.length < room) return taken;
    }
  }

  /** Up to `room` webhooks to claim, with their servers, so that none has more than `MAX_CLAIMED_OF_SERVER`. */
  async #free(scope: Scope, room: number): Promise<Map<string, string>> {
    const counts = new Map<string, number>();
    for (const { serverId } of this.#claimed.values()) counts.set(serverId, (counts.get(serverId) ?? 0) + 1);
    const full = [...counts].filter(([, count]) => count >= MAX_CLAIMED_OF_SERVER).map(([id]) => id);
    const waiting = await this.#store.waiting(scope, room + this.#claimed.size, full);
    const free = new Map<string, string>();
    for (const { id, serverId } of waiting) {
      const count = counts.get(serverId) ?? 0;
      if (free.size === room || count >= MAX_CLAIMED_OF_SERVER || this.#claimed.has(id)) continue;
      counts.set(serverId, count + 1);
      free.set(id, serverId);
    }
    return free;
  }

  #start(id: string, serverId: string): void {
    const running = deliver(this.#context, id, this.#stopping.signal).then(
      () => {
        this.#claimed.delete(id);
        // Events may have come while the webhook was being released.
        if (!this.#stopping.signal.aborted) void this.#logErrors(() => this.#take({ ids: [id] }));
      },
      (error) => {
        this.#claimed.delete(id);
        if (!(error instanceof WebhookGone))
          this.#log.warn(
            { err: error, webhookId: id },
            'sending to a webhook failed and will be tried again',
          );
      },
    );
    this.#claimed.set(id, { serverId, running });
  }

  async #renew(): Promise<void> {
    if (this.#claimed.size === 0) return;
    const asked = performance.now();
    await this.#store.renew([...this.#claimed.keys()]);
    this.#leasedUntil = asked + LEASE_MS;
  }
}

/** Loads what sends with the first request: Node's client of HTTP brings all of `fetch` with it, which takes 15 MB. */
function sender(
  allowPrivate: boolean,
  resolve: Resolve | undefined,
  signal: AbortSignal,
): DeliveryContext['send'] {
  const load = late(async () => {
    const [{ createAgents }, { send }] = await Promise.all([import('./guard.ts'), import('./send.ts')]);
    return { send, agents: createAgents(allowPrivate, resolve) };
  });
  return async (request) => {
    const { send, agents } = await load();
    return send(request, agents, allowPrivate, signal);
  };
}
