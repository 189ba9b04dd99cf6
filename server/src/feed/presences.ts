import { randomUUID } from 'node:crypto';
import type { Db } from '../db/contract.ts';
import { remove, update } from '../db/statements.ts';
import type { NewLiveEvent } from './logged.ts';
import { deadNodes, membershipsOf, noteOf, peopleOf, type Shown, shownOf } from './presenceRows.ts';

/** Interval of the background task, which runs while there are open streams or unpublished changes. */
const TICK_MS = 500;
/**
 * Grace period: a person is still shown as online for this long after their last stream closed, in case they
 * reconnect.
 */
const GRACE_MS = 10_000;
/**
 * A node's lease, in ms. A node without a heartbeat for this long is dead, and its people are shown as
 * offline.
 */
const LEASE_MS = 45_000;
/** Interval of a node's heartbeat. */
const HEARTBEAT_MS = 15_000;
/** People per statement. */
const BATCH = 500;
/** Maximum people per event. If more have changed, clients refetch the people they show. */
const MAX_PEOPLE = 100;

/** A person's new presence, and the servers they are in. */
export interface PresenceChange {
  shown: Shown;
  serverIds: string[];
}

interface Ways {
  /** Publishes changed presence to the other nodes. */
  tellOthers(news: PresenceChange): void;
  /** Returns the number of this node's readers of a server. */
  audienceOf(serverId: string): number;
  /** Delivers an event to this node's readers of a server. */
  tell(news: NewLiveEvent): void;
}

/**
 * Presence: a person is online while they have a stream on any node. Each node records its own people in the
 * database under a lease, which it renews by heartbeat. If a node dies, another one removes its rows once the
 * lease has expired. Changes are coalesced and throttled per server: the more streams a server has, the less
 * often it is updated. A node without streams or unpublished changes does no work.
 */
export class Presences {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #ways: Ways;
  readonly #nodeId = randomUUID();
  /** Open streams per person on this node. */
  readonly #streams = new Map<string, number>();
  /** People who have connected but have not been recorded yet. */
  readonly #coming = new Set<string>();
  /** People without streams who are still recorded, each with the end of their grace period, in ms. */
  readonly #leaving = new Map<string, number>();
  /**
   * People whose presence has to be published. The value is true for people who changed their presence
   * themselves.
   */
  readonly #changed = new Map<string, boolean>();
  /** Presence to deliver to this node's readers, by server. */
  readonly #untold = new Map<string, Map<string, Shown>>();
  /** Throttle by server: the time before which nothing is delivered, on the clock of `performance.now()`. */
  readonly #quietUntil = new Map<string, number>();
  #aliveUntil = 0;
  #timer: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isClosed = false;

  constructor(db: Db, now: () => number, ways: Ways) {
    this.#db = db;
    this.#now = now;
    this.#ways = ways;
  }

  /** Called when a person opens a stream. */
  enter(userId: string): void {
    const streams = this.#streams.get(userId) ?? 0;
    this.#streams.set(userId, streams + 1);
    if (streams === 0 && !this.#leaving.delete(userId)) this.#coming.add(userId);
    this.#start();
  }

  /** Called when a person's stream ends. */
  leave(userId: string): void {
    const streams = (this.#streams.get(userId) ?? 1) - 1;
    if (streams > 0) this.#streams.set(userId, streams);
    else {
      this.#streams.delete(userId);
      if (!this.#coming.delete(userId)) this.#leaving.set(userId, this.#now() + GRACE_MS);
    }
  }

  /** Called when a person changes their status or text. */
  changed(userId: string): void {
    this.#changed.set(userId, true);
    this.#start();
  }

  /** Receives presence published by this or another node. */
  hear(all: readonly PresenceChange[]): void {
    for (const { shown, serverIds } of all) {
      for (const serverId of serverIds) {
        if (this.#ways.audienceOf(serverId) === 0) continue;
        const people = this.#untold.get(serverId) ?? new Map<string, Shown>();
        // Adds at most one more person than fits into an event. The extra person marks the event as
        // incomplete.
        if (people.size <= MAX_PEOPLE) people.set(shown.userId, shown);
        this.#untold.set(serverId, people);
      }
    }
    if (this.#untold.size > 0) this.#start();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    if (this.#aliveUntil > 0)
      // Expires the lease. As for a dead node, another node then publishes that these people are offline.
      this.#db.write((tx) => tx.run(update('presenceNode', this.#nodeId, { aliveUntil: 0 }))).catch(() => {});
  }

  #start(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setInterval(() => void this.#tick(), TICK_MS);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#note();
      await this.#gather();
    } catch {
      // The database is unavailable. This will be retried.
    } finally {
      this.#isBusy = false;
    }
    this.#tellAll();
    if (this.#isIdle && !this.#isClosed) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  get #isIdle(): boolean {
    return [this.#streams, this.#coming, this.#leaving, this.#changed, this.#untold].every(
      ({ size }) => size === 0,
    );
  }

  /** Records connects and disconnects, and renews this node's lease. */
  async #note(): Promise<void> {
    const now = this.#now();
    const come = [...this.#coming].slice(0, BATCH);
    const gone = [...this.#leaving].filter(([, at]) => at <= now).slice(0, BATCH);
    const isDue = this.#streams.size > 0 && this.#aliveUntil - now < LEASE_MS - HEARTBEAT_MS;
    if (come.length + gone.length === 0 && !isDue) return;
    for (const userId of come) this.#coming.delete(userId);
    for (const [userId] of gone) this.#leaving.delete(userId);
    try {
      const left = gone.map(([userId]) => userId);
      const aliveUntil = now + LEASE_MS;
      const noted = { nodeId: this.#nodeId, aliveUntil, come, left };
      const isNew = await this.#db.write((tx) => noteOf(tx, noted));
      // Another node removed this node's rows, so everybody has to be recorded again.
      if (isNew)
        for (const userId of this.#streams.keys()) if (!come.includes(userId)) this.#coming.add(userId);
      this.#aliveUntil = aliveUntil;
      for (const userId of [...come, ...left]) this.#changed.set(userId, this.#changed.get(userId) ?? false);
    } catch (error) {
      for (const userId of come) if (this.#streams.has(userId)) this.#coming.add(userId);
      for (const [userId, at] of gone) if (!this.#streams.has(userId)) this.#leaving.set(userId, at);
      throw error;
    }
    if (isDue) await this.#bury(now);
  }

  /** Removes the rows of dead nodes. The node whose delete succeeds publishes that their people left. */
  async #bury(now: number): Promise<void> {
    for (const { id } of await this.#db.read.all(deadNodes({ now }))) {
      const people = await this.#db.write(async (tx) => {
        const found = await peopleOf(tx, id);
        return (await tx.count(remove('presenceNode', { id }))) === 1 ? found : [];
      });
      for (const userId of people) this.#changed.set(userId, this.#changed.get(userId) ?? false);
    }
  }

  /** Looks up the presence and servers of people who changed. */
  async #gather(): Promise<void> {
    const some = [...this.#changed].slice(0, BATCH);
    if (some.length === 0) return;
    const userIds = some.map(([userId]) => userId);
    const [shown, memberships] = await Promise.all([
      shownOf(this.#db.read, userIds, this.#now()),
      membershipsOf(this.#db.read, userIds),
    ]);
    for (const userId of userIds) this.#changed.delete(userId);
    const isOwn = new Map(some);
    // The connects and disconnects of an invisible person are not published, because they would reveal their
    // presence.
    const told = shown.filter(({ isInvisible, userId }) => !isInvisible || isOwn.get(userId));
    const news = told.map(({ isInvisible: _, ...one }) => ({
      shown: one,
      serverIds: memberships.get(one.userId) ?? [],
    }));
    for (const one of news) this.#ways.tellOthers(one);
    this.hear(news);
  }

  /**
   * Delivers presence to each server whose throttle has expired. The throttle allows about a thousand
   * deliveries to readers per second and server.
   */
  #tellAll(): void {
    const time = performance.now();
    for (const [serverId, until] of this.#quietUntil) if (until <= time) this.#quietUntil.delete(serverId);
    for (const [serverId, people] of this.#untold) {
      if (this.#quietUntil.has(serverId)) continue;
      this.#untold.delete(serverId);
      this.#quietUntil.set(serverId, time + Math.max(TICK_MS, this.#ways.audienceOf(serverId)));
      const isWhole = people.size <= MAX_PEOPLE;
      const data = { serverId, people: isWhole ? [...people.values()] : [], isWhole };
      const at = this.#now();
      const actor = { actorId: null, actor: 'system' as const };
      this.#ways.tell({ type: 'presence.updated', serverId, channelId: null, ...actor, at, data });
    }
  }
}
