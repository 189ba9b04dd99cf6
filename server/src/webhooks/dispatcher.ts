/**
 * Delivers events to webhooks: at least once, in order per webhook, from any node. A webhook is a cursor in
 * its server's log. A node claims it with a lease, reads from the cursor, sends one event at a time, and
 * stores the cursor after the last accepted event. After a crash, another node takes over when the lease
 * expires, and resends at most `MAX_UNSTORED_EVENTS`. Failures are retried with backoff and jitter
 * (`schedule.ts`) and finally disable the webhook. Slots are shared fairly between servers, retries have
 * separate slots, and a periodic sweep makes up for lost notifications (docs/decisions/0017).
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { tenantIn } from '../access/credentials/powers.ts';
import { StorageError } from '../db/contract.ts';
import { FIRST_ID, LAST_ID } from '../lib/deps.ts';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { AskedDeliveries } from './asked.ts';
import { Candidates } from './candidates.ts';
import { type Claim, Claims, leaseFromNow } from './claims.ts';
import { type DeliveryContext, deliver } from './courier.ts';
import { WebhookFigures } from './figures.ts';
import type { WebhookOptions } from './options.ts';
import { WebhookGone } from './reasons.ts';
import { sender } from './sender.ts';
import { SetBack } from './setBack.ts';
import { Slots } from './slots.ts';
import { type Scope, Store } from './store.ts';

/** Interval between renewals of the leases. */
const RENEW_INTERVAL_MS = 5_000;
/** Interval of the polls for due retries and for requested deliveries. */
const DUE_INTERVAL_MS = 1_000;
/** Interval for retrying postponed webhooks, and for a sweep step. */
const AGAIN_INTERVAL_MS = 5_000;
/** Number of webhooks per sweep step. The sweep covers all webhooks, with or without notifications. */
const SWEPT_AT_ONCE = 500;
/** Maximum concurrent requests for first attempts and for retries, in addition to one per server. */
const FIRST_REQUESTS = { shared: 200, perKey: 100 };
const RETRY_REQUESTS = { shared: 50, perKey: 25 };
/** Maximum claimed webhooks, in total (shared fairly between tenants) and per server. */
const MAX_CLAIMED = 2_000;
const MAX_CLAIMED_OF_SERVER = 200;
/** Number of webhooks to claim per transaction. */
const BATCH_WEBHOOKS = 200;
/** Shutdown aborts requests that take longer than this. */
const STOP_TIMEOUT_MS = 4_000;

/** The server and tenant that a webhook belongs to. */
type Owned = Pick<Claim, 'serverId' | 'tenant'>;

/** Starts delivering events to the webhooks of all servers, until `stop` is called. */
export function startWebhooks(options: WebhookOptions, log: FastifyBaseLogger): Dispatcher {
  return new Dispatcher(options, log);
}

/** Finds webhooks with events to send, claims them and runs their deliveries. */
export class Dispatcher {
  readonly #outage: Outage;
  readonly #newOutage: () => Outage;
  readonly #setBack: SetBack;
  readonly #store: Store;
  readonly #context: DeliveryContext;
  readonly #asked: AskedDeliveries;
  readonly #claimed = new Claims();
  readonly #maxClaimed: number;
  readonly #candidates: Candidates;
  /** The position of the sweep. */
  #swept = FIRST_ID;
  #isTaking = false;
  /** Running polls and claims. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #pulse: Pulse;
  readonly #stopPolls: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #cutOff = new AbortController();

  constructor(options: WebhookOptions, log: FastifyBaseLogger) {
    const { db, deps, feed, seal, allowedHosts, toRecord, resolve } = options;
    const { figures = new WebhookFigures(), maxClaimed = MAX_CLAIMED, pulse = new Pulse() } = options;
    this.#pulse = pulse;
    // The node must not become idle while it has claimed webhooks, because their leases have to be renewed.
    pulse.stayAwakeWhile(() => this.#claimed.size > 0);
    this.#maxClaimed = maxClaimed;
    this.#newOutage = () => new Outage(log, 'webhook dispatch');
    this.#outage = this.#newOutage();
    this.#setBack = new SetBack({ db, deps, log });
    this.#store = new Store(db, deps, randomUUID());
    this.#candidates = new Candidates(db, this.#store);
    this.#context = {
      db,
      deps,
      feed,
      seal,
      store: this.#store,
      figures,
      slots: { first: new Slots(FIRST_REQUESTS), retry: new Slots(RETRY_REQUESTS) },
      send: sender(allowedHosts, resolve, this.#cutOff.signal),
      toRecord,
      onDisabled: ({ id, serverId }, reason) => {
        figures.disabled[reason]++;
        log.warn({ webhookId: id, serverId, reason }, 'a webhook was disabled');
        feed.wake([serverId]);
      },
      hasLease: (id) => this.#claimed.hasLease(id),
    };
    this.#asked = new AskedDeliveries(this.#context, this.#stopping.signal, this.#newOutage());
    feed.onWake((serverId) => this.#wake(serverId));
    this.#every(RENEW_INTERVAL_MS, () => this.#claimed.renew(this.#store));
    this.#every(DUE_INTERVAL_MS, () => this.#take('due'));
    this.#every(DUE_INTERVAL_MS, () => this.#asked.look());
    this.#every(AGAIN_INTERVAL_MS, () => this.#lookAgain());
    void this.#logErrors(() => this.#sweepAll());
  }

  /** Claims all webhooks that have something to send, without waiting for notifications. */
  async poll(): Promise<void> {
    await Promise.all([this.#sweepAll(), this.#asked.look()]);
  }

  /**
   * Waits up to 4 s for running requests, then releases all webhooks, so that other nodes can take over
   * immediately.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const stop of this.#stopPolls) stop();
    const done = Promise.all([
      this.#asked.end(),
      ...[...this.#claimed.values()].map(({ running }) => running),
    ]);
    await Promise.race([done, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#cutOff.abort();
    await done;
    // Waits for pending claims, which would otherwise take effect after the release.
    await Promise.all(this.#working);
    await this.#logErrors(() => this.#store.releaseAll());
  }

  #every(period: number, work: () => Promise<unknown>): void {
    const outage = this.#newOutage();
    let running = false;
    const stop = this.#pulse.every(period, async () => {
      if (running) return;
      running = true;
      await this.#logErrors(work, outage);
      running = false;
    });
    this.#stopPolls.push(stop);
  }

  async #logErrors(work: () => Promise<unknown>, outage = this.#outage): Promise<void> {
    const working = outage.watch(work);
    this.#working.add(working);
    await working;
    this.#working.delete(working);
  }

  /**
   * Claims the webhooks of servers with new events. Servers that get new events in the meantime share the
   * next round.
   */
  #wake(serverId: string): void {
    this.#candidates.wake(serverId);
    this.#goOn();
  }

  #goOn(): void {
    if (this.#isTaking || !this.#candidates.isWoken || this.#stopping.signal.aborted) return;
    this.#isTaking = true;
    void this.#logErrors(() => this.#takeWoken());
  }

  async #takeWoken(): Promise<void> {
    try {
      while (this.#candidates.isWoken) await this.#takeThese(await this.#candidates.takeWoken());
    } finally {
      this.#isTaking = false;
    }
  }

  async #takeThese(ids: readonly string[]): Promise<void> {
    const free = ids.filter((id) => !this.#claimed.has(id));
    for (let first = 0; first < free.length; first += BATCH_WEBHOOKS) {
      const some = free.slice(first, first + BATCH_WEBHOOKS);
      try {
        const taken = new Set(await this.#take({ ids: some }));
        const others = some.filter((id) => !taken.has(id) && !this.#candidates.isPostponed(id));
        // Remembers which webhooks are busy. Otherwise, every event in a busy server would cause another
        // attempt to claim them.
        const busy = others.length > 0 ? await this.#store.busy(others) : [];
        for (const id of busy) this.#candidates.noteBusy(id);
      } catch (error) {
        this.#candidates.postpone(free.slice(first));
        throw error;
      }
    }
  }

  /** Handles postponed webhooks, and continues the sweep, because notifications may be lost. */
  async #lookAgain(): Promise<void> {
    this.#goOn();
    await this.#takeThese(this.#candidates.takePostponed());
    if (this.#hasRoom()) this.#swept = (await this.#sweepAfter(this.#swept)) ?? FIRST_ID;
  }

  async #sweepAll(): Promise<void> {
    for (let after: string | undefined = FIRST_ID; after !== undefined && this.#hasRoom(); )
      after = await this.#sweepAfter(after);
  }

  /** Checks the next webhooks by id. Returns the last checked id, or undefined if none are left. */
  async #sweepAfter(after: string): Promise<string | undefined> {
    const last = await this.#store.endAfter(after, SWEPT_AT_ONCE);
    await this.#take({ after, to: last ?? LAST_ID });
    return last;
  }

  /** Whether this node can claim more webhooks. */
  #hasRoom(): boolean {
    const { size } = this.#claimed;
    if (this.#stopping.signal.aborted || size >= this.#maxClaimed) return false;
    return size === 0 || this.#claimed.haveLeases();
  }

  /** Claims webhooks with events to send, and starts their deliveries. Returns their ids. */
  async #take(scope: Scope): Promise<string[]> {
    const taken: string[] = [];
    for (;;) {
      if (!this.#hasRoom()) {
        if (typeof scope === 'object' && 'ids' in scope) this.#candidates.postpone(scope.ids);
        return taken;
      }
      const room = Math.min(BATCH_WEBHOOKS, this.#maxClaimed - this.#claimed.size);
      const free = await this.#free(scope, room);
      if (free.size === 0) return taken;
      const leasedUntil = leaseFromNow();
      const claimed = await this.#claim([...free.keys()]);
      if (this.#stopping.signal.aborted) return taken;
      for (const id of claimed)
        if (!this.#claimed.has(id)) this.#start(id, free.get(id) as Owned, leasedUntil);
      taken.push(...claimed);
      if (claimed.length < room) return taken;
    }
  }

  async #claim(ids: readonly string[]): Promise<string[]> {
    try {
      return await this.#store.claim(ids);
    } catch (error) {
      // The claim may have succeeded despite the error.
      this.#candidates.postpone(ids);
      throw error;
    }
  }

  /**
   * Returns up to `room` webhooks to claim, by id: at most `MAX_CLAIMED_OF_SERVER` per server, and no more
   * than each tenant's share. Postpones the others.
   */
  async #free(scope: Scope, room: number): Promise<Map<string, Owned>> {
    const counts = this.#claimed.perServer();
    const shares = this.#claimed.shares(this.#maxClaimed);
    const full = [...counts].filter(([, count]) => count >= MAX_CLAIMED_OF_SERVER).map(([id]) => id);
    // More than needed are queried, because webhooks of a tenant that has used up its share are skipped.
    const waiting = await this.#store.waiting(scope, room + this.#maxClaimed, full);
    const free = new Map<string, Owned>();
    for (const { id, serverId, ...owned } of waiting) {
      const tenant = tenantIn({ serverId, ...owned });
      const count = counts.get(serverId) ?? 0;
      if (this.#claimed.has(id)) continue;
      if (free.size === room || count >= MAX_CLAIMED_OF_SERVER || !shares.hasRoom(tenant)) {
        this.#candidates.postpone([id]);
        continue;
      }
      counts.set(serverId, count + 1);
      shares.add(tenant, 1);
      free.set(id, { serverId, tenant });
    }
    return free;
  }

  #start(id: string, owned: Owned, leasedUntil: number): void {
    const running = deliver(this.#context, id, this.#stopping.signal).then(
      () => {
        this.#claimed.delete(id);
        this.#setBack.clear(id);
        // Events may have arrived while the webhook was being released.
        if (!this.#stopping.signal.aborted) void this.#logErrors(() => this.#take({ ids: [id] }));
      },
      (error) => {
        this.#claimed.delete(id);
        if (error instanceof WebhookGone) return;
        if (error instanceof StorageError) this.#candidates.postpone([id]);
        else void this.#logErrors(() => this.#setBack.add(id, error));
      },
    );
    this.#claimed.set(id, { ...owned, leasedUntil, running });
  }
}
