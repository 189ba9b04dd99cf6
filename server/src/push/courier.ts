import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { tenantIn } from '../access/credentials/powers.ts';
import type { Db } from '../db/contract.ts';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import { backoffMs } from '../lib/backoff.ts';
import type { Deps } from '../lib/deps.ts';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { quietMinutes } from '../lib/quietHours.ts';
import { repeated } from '../lib/repeated.ts';
import type { Seal } from '../lib/seal.ts';
import { TenantShares } from '../lib/tenantShares.ts';
import type { PushKey } from '../lib/webPush/authorization.ts';
import { openDevice } from '../lib/webPush/device.ts';
import type { Resolve } from '../webhooks/guard.ts';
import { retryAfterOf } from '../webhooks/schedule.ts';
import type { Outcome } from '../webhooks/send.ts';
import { Slots } from '../webhooks/slots.ts';
import type { PushFigures } from './figures.ts';
import { mentionedNames } from './mentionedNames.ts';
import { isPersonal, missed } from './missed.ts';
import { messagePayload, readPayload } from './payload.ts';
import {
  claim,
  type Due,
  drop,
  duePushes,
  noteShown,
  noteSilenced,
  postpone,
  removeDevice,
  sendNewer,
} from './queue.ts';
import { sender } from './sender.ts';

/** Poll interval for due pushes. */
const LOOK_MS = 1_000;
/** While a person has a page open, pushes wait this long for the page to mark the message as read. */
const GRACE_MS = 2_000;
const DAY_MS = 24 * 60 * 60_000;
/**
 * Backoff after a failed attempt. The first delay is longer than an attempt can take. A push is dropped after
 * `MAX_ATTEMPTS`.
 */
const RETRY = { first: 30_000, most: 60 * 60_000 };
const MAX_ATTEMPTS = 8;
/** Backoff between checks of whether a message has been read elsewhere. */
const CHECK = { first: 15_000, most: 60 * 60_000 };
/**
 * Maximum silent pushes per device until it subscribes again. Firefox ends a subscription after 16 of them.
 */
const MAX_SILENCED = 10;
/** Maximum pushes in progress, shared fairly between tenants. */
const MAX_RUNNING = 500;
/** Maximum concurrent requests, in total and per tenant (see `Slots`). */
const REQUESTS = { shared: 50, perKey: 25 };
/**
 * Number of pushes per query. This is more than can be in progress, so a full page always contains pushes
 * that are not in progress.
 */
const PAGE_ROWS = 2 * MAX_RUNNING;
/** Shutdown aborts requests that take longer than this. */
const STOP_TIMEOUT_MS = 4_000;

export interface CourierOptions {
  db: Db;
  deps: Deps;
  seal: Seal;
  key(): Promise<PushKey>;
  /** The push service hosts that are allowed. */
  allowedHosts: AllowedHosts;
  /** The public address, through which push services can contact the operator; empty if unknown. */
  address: string;
  figures: PushFigures;
  /** Schedules the polls. */
  pulse?: Pulse | undefined;
  /** Replaces DNS resolution in tests. */
  resolve?: Resolve | undefined;
}

/**
 * Sends the queued pushes. Nodes share the queue: a node claims a push by incrementing `attempts` with a
 * compare-and-set, which also sets the time of the next attempt. If the node dies, another one retries the
 * push. Delivery is at least once; a repeated push replaces the notification that the device already shows.
 */
export class PushCourier {
  readonly #options: CourierOptions;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #handling: Outage;
  readonly #send: ReturnType<typeof sender>;
  readonly #slots = new Slots(REQUESTS);
  /** The pushes in progress, with their tenants. */
  readonly #running = new Map<string, { tenant: string; serverId: string; done: Promise<void> }>();
  readonly #cutOff = new AbortController();
  readonly #stopPolling: () => void;
  #isStopping = false;

  constructor(options: CourierOptions, log: FastifyBaseLogger) {
    this.#options = options;
    this.#looking = repeated(() => this.#startDue(), new Outage(log, 'looking for pushes'));
    this.#handling = new Outage(log, 'sending pushes');
    this.#send = sender(options, this.#cutOff.signal);
    const { pulse = new Pulse() } = options;
    pulse.stayAwakeWhile(() => this.#running.size > 0);
    this.#stopPolling = pulse.every(LOOK_MS, () => void this.look());
  }

  /** Starts due pushes. Resolves once they are in progress; never rejects. */
  look(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    return this.#looking.run();
  }

  /**
   * For shutdown: waits briefly for requests in progress. If a request takes longer, another node retries it.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopPolling();
    await this.#looking.ended();
    const done = Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([done, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.#cutOff.abort();
    await done;
  }

  async #startDue(): Promise<void> {
    const { db, deps } = this.#options;
    const shares = new TenantShares(MAX_RUNNING);
    for (const { tenant } of this.#running.values()) shares.add(tenant, 1);
    const full = new Set<string>();
    for (const { tenant, serverId } of this.#running.values())
      if (!shares.hasRoom(tenant)) full.add(serverId);
    const now = deps.now();
    for (const push of await duePushes(db, now, PAGE_ROWS, [...full])) {
      const id = `${push.pushSubscriptionId} ${push.channelId}`;
      const tenant = tenantOf(push);
      if (this.#running.has(id) || !shares.hasRoom(tenant)) continue;
      if (push.isOnline && !push.isShown && now - push.createdAt < GRACE_MS) continue;
      shares.add(tenant, 1);
      const done = this.#handling
        .watch(() => this.#slots.use(tenant, () => this.#handle(push)))
        .finally(() => this.#running.delete(id));
      this.#running.set(id, { tenant, serverId: push.serverId, done });
    }
  }

  async #handle(push: Due): Promise<void> {
    const { db, deps } = this.#options;
    if (this.#isStopping) return;
    const now = deps.now();
    const isOver = now - push.createdAt > DAY_MS || push.expiresAt <= now || push.suspendedAt !== null;
    if (isOver) return drop(db, push);
    const [found] = await missed(db.read, push.userId, { messageId: push.messageId }, now);
    if (push.isShown) return this.#closeIfRead(push, found !== undefined, now);
    const isQuiet = push.status === 'dnd' || quietMinutes(push.quietHours, now) > 0;
    if (!found || isQuiet) return drop(db, push);
    if (!(await claim(db, push, now + backoffMs(push.attempts + 1, RETRY, deps)))) return;
    const content = push.pushContent ?? 'full';
    const names = content === 'full' ? await mentionedNames(db.read, found) : new Map<string, string>();
    const payload = messagePayload(found, { content, language: push.language, names });
    const urgency = isPersonal(found) ? 'high' : 'normal';
    await this.#finish(push, await this.#post(push, payload, urgency, now));
  }

  /** Closes the notification if its message was read elsewhere; otherwise, schedules the next check. */
  async #closeIfRead(push: Due, isUnread: boolean, now: number): Promise<void> {
    const { db, deps } = this.#options;
    if (!(await claim(db, push, now + backoffMs(push.attempts + 1, CHECK, deps)))) return;
    if (isUnread) return;
    await noteSilenced(db, push);
    const outcome = await this.#post(push, readPayload(push.channelId, push.messageId), 'normal', now);
    if (isGone(outcome)) await removeDevice(db, push);
    else await drop(db, push);
  }

  async #post(push: Due, payload: object, urgency: 'high' | 'normal', now: number): Promise<Outcome> {
    const { figures, seal } = this.#options;
    const device = openDevice(seal, { id: push.pushSubscriptionId, sealed: push.sealed });
    const outcome = await this.#send(device, {
      payload,
      urgency,
      seconds: Math.ceil((push.createdAt + DAY_MS - now) / 1000),
      topic: topicOf(push),
      at: now,
    });
    figures.attempts[isGone(outcome) ? 'gone' : outcome.name]++;
    return outcome;
  }

  async #finish(push: Due, outcome: Outcome): Promise<void> {
    const { db, deps, figures } = this.#options;
    const now = deps.now();
    if (outcome.name === 'accepted') {
      figures.onAccepted(Math.max(0, now - push.createdAt) / 1000);
      if (push.maySilence && push.silenced < MAX_SILENCED) await noteShown(db, push, now + CHECK.first);
      else await drop(db, push);
      return sendNewer(db, push, now);
    }
    if (isGone(outcome)) return removeDevice(db, push);
    if (!mayRetry(outcome) || push.attempts + 1 >= MAX_ATTEMPTS) return drop(db, push);
    const asked = retryAfterOf(outcome.retryAfter, now);
    if (asked !== undefined && asked > RETRY.first) await postpone(db, push, now + asked);
  }
}

const tenantOf = ({ serverId, creatorId, isOfAdmin }: Due): string =>
  tenantIn({ serverId, creatorId: creatorId ?? serverId, isOfAdmin: Boolean(isOfAdmin) });

/** Whether the push service reported that the subscription no longer exists (RFC 8030, 7.3). */
const isGone = ({ status }: Outcome): boolean => status === 404 || status === 410;

/** Whether a later attempt may succeed. Otherwise, the push service has permanently rejected this push. */
const mayRetry = ({ status }: Outcome): boolean =>
  status === null || status >= 500 || status === 408 || status === 429;

/**
 * Returns the topic of a channel's pushes. With a topic, a device that was offline gets only the latest push
 * (RFC 8030, 5.4). The topic is a digest, so that push services cannot learn which devices are notified of
 * the same channel.
 */
const topicOf = ({ pushSubscriptionId, channelId }: Due): string =>
  hash('sha256', `${pushSubscriptionId} ${channelId}`, 'base64url').slice(0, 32);
