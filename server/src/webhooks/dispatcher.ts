import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';

import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';

import { deliver, type Office } from './courier.ts';
import { createAgents, type Resolve } from './guard.ts';
import { send } from './send.ts';
import { Slots } from './slots.ts';
import { Gone, LEASE, type Scope, Store } from './store.ts';

/** How often what is held is renewed, what is due is looked for, and everything is looked through, in milliseconds. */
const RENEW = 5_000;
const POLL = 1_000;
const SWEEP = 5_000;
/** How long a webhook that somebody else works on is left alone. */
const LEAVE_ALONE = 5_000;
/** Requests at once, and webhooks at once; and how many are taken in one go. */
const REQUESTS = 200;
const REQUESTS_THAT_FAILED = 50;
const MAX_HELD = 2_000;
const PORTION = 200;
/** How long a stop waits for requests under way. */
const PATIENCE = 4_000;

export interface WebhookOptions {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  /** Lets them be sent to private, loopback and link-local addresses. */
  allowPrivate: boolean;
  /** The record of a webhook, as its event shows it. */
  shown(row: RowOf<'webhook'>): unknown;
  /** Stands for the name servers in tests. */
  resolve?: Resolve;
}

/** Sends events to the webhooks of all servers. `stop` ends that, and lets other nodes go on at once. */
export function startWebhooks(options: WebhookOptions, log: FastifyBaseLogger): Dispatcher {
  return new Dispatcher(options, log);
}

/** Finds the webhooks that something waits for, holds them so that no other node sends the same, and has them delivered. */
export class Dispatcher {
  readonly #db: Db;
  readonly #log: FastifyBaseLogger;
  readonly #store: Store;
  readonly #office: Office;
  readonly #held = new Map<string, Promise<void>>();
  /** Enabled webhooks by server, as of the `authorityVersion` beside. */
  #known = new Map<string, string[]>();
  #knownAt = Number.NaN;
  /** When webhooks that another works on are looked at again, by the monotonic clock. */
  readonly #leftAlone = new Map<string, number>();
  readonly #woken = new Set<string>();
  #isLooking = false;
  #looking = Promise.resolve();
  /** Until when what is held is certainly held, by the monotonic clock. */
  #heldUntil = Number.POSITIVE_INFINITY;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();

  constructor(
    { db, deps, feed, seal, allowPrivate, shown, resolve }: WebhookOptions,
    log: FastifyBaseLogger,
  ) {
    const agents = createAgents(allowPrivate, resolve);
    this.#db = db;
    this.#log = log;
    this.#store = new Store(db, deps, randomUUID());
    this.#office = {
      db,
      deps,
      feed,
      seal,
      store: this.#store,
      slots: { fresh: new Slots(REQUESTS), failed: new Slots(REQUESTS_THAT_FAILED) },
      send: (parcel) => send(parcel, agents, allowPrivate, this.#cutOff.signal),
      shown,
      onDisabled: ({ id, serverId }, reason) => {
        log.warn({ webhookId: id, serverId, reason }, 'a webhook was disabled');
        feed.wake([serverId]);
      },
      isHolding: () => performance.now() < this.#heldUntil,
    };
    feed.onWake((serverId) => this.#wake(serverId));
    this.#every(RENEW, () => this.#renew());
    this.#every(POLL, () => this.#take('due'));
    this.#every(SWEEP, () => this.#take('all'));
    void this.#guarded(() => this.#take('all'));
  }

  /** Looks through all webhooks at once, as happens now and then anyway. */
  async poll(): Promise<void> {
    await this.#take('all');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers) clearInterval(timer);
    const done = Promise.all(this.#held.values());
    await Promise.race([done, sleep(PATIENCE, undefined, { ref: false })]);
    this.#cutOff.abort();
    await done;
    await this.#looking;
    await this.#guarded(() => this.#store.releaseAll());
  }

  #every(period: number, work: () => Promise<unknown>): void {
    let running = false;
    const timer = setInterval(async () => {
      if (running) return;
      running = true;
      await this.#guarded(work);
      running = false;
    }, period);
    timer.unref();
    this.#timers.push(timer);
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error) => this.#log.warn({ err: error }, 'webhooks failed and will be tried again'));
  }

  /** Something happened in a server: looked at soon, once for all that happens meanwhile. */
  #wake(serverId: string): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#knownAt === this.#db.authorityVersion() && !this.#known.has(serverId)) return;
    this.#woken.add(serverId);
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#looking = this.#guarded(() => this.#look());
  }

  async #look(): Promise<void> {
    try {
      while (this.#woken.size > 0) {
        const servers = [...this.#woken];
        this.#woken.clear();
        await this.#learn();
        await this.#takeOf(servers);
      }
    } finally {
      this.#isLooking = false;
    }
  }

  async #takeOf(servers: readonly string[]): Promise<void> {
    const now = performance.now();
    const ids = servers
      .flatMap((serverId) => this.#known.get(serverId) ?? [])
      .filter((id) => !this.#held.has(id) && (this.#leftAlone.get(id) ?? 0) <= now);
    if (ids.length === 0) return;
    const taken = new Set(await this.#take({ ids }));
    const others = ids.filter((id) => !taken.has(id));
    if (others.length === 0) return;
    // So that not every event of a busy server asks about them again.
    for (const id of await this.#store.busy(others)) this.#leftAlone.set(id, now + LEAVE_ALONE);
  }

  async #learn(): Promise<void> {
    const version = this.#db.authorityVersion();
    if (version === this.#knownAt) return;
    const enabled = await this.#store.enabled();
    this.#known = new Map(
      [...Map.groupBy(enabled, ({ serverId }) => serverId)].map(([server, all]) => [
        server,
        all.map(({ id }) => id),
      ]),
    );
    this.#knownAt = version;
    this.#leftAlone.clear();
  }

  /** Takes on webhooks that have something to send, and gives their ids. */
  async #take(scope: Scope): Promise<string[]> {
    const taken: string[] = [];
    for (;;) {
      const room = Math.min(PORTION, MAX_HELD - this.#held.size);
      if (room <= 0 || this.#stopping.signal.aborted) return taken;
      if (this.#held.size > 0 && !this.#office.isHolding()) return taken;
      const waiting = await this.#store.waiting(scope, room + this.#held.size);
      const ids = waiting.filter((id) => !this.#held.has(id)).slice(0, room);
      if (ids.length === 0) return taken;
      const asked = performance.now();
      const claimed = await this.#store.claim(ids);
      if (this.#held.size === 0) this.#heldUntil = asked + LEASE;
      for (const id of claimed) if (!this.#held.has(id)) this.#hold(id);
      taken.push(...claimed);
      if (claimed.length < room) return taken;
    }
  }

  #hold(id: string): void {
    const running = deliver(this.#office, id, this.#stopping.signal).then(
      () => {
        this.#held.delete(id);
        // What came while it was let go of.
        if (!this.#stopping.signal.aborted) void this.#guarded(() => this.#take({ ids: [id] }));
      },
      (error) => {
        this.#held.delete(id);
        if (!(error instanceof Gone))
          this.#log.warn({ err: error, webhookId: id }, 'a webhook could not go on');
      },
    );
    this.#held.set(id, running);
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const asked = performance.now();
    await this.#store.renew([...this.#held.keys()]);
    this.#heldUntil = asked + LEASE;
  }
}
