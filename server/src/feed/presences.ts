import { randomUUID } from 'node:crypto';
import type { Db } from '../db/contract.ts';
import { remove, update } from '../db/statements.ts';
import type { LiveNews } from './logged.ts';
import { deadNodes, membershipsOf, noteOf, peopleOf, type Shown, shownOf } from './presenceRows.ts';

/** The time between two looks at what is to be noted and told, while there is anything. */
const TICK_MS = 500;
/** A person whose last stream has ended is shown as offline after this time, unless they come back. */
const GRACE_MS = 10_000;
/** A node that has not said for this time that it is alive is dead: its people are shown as offline. */
const LEASE_MS = 45_000;
/** The time between two such words of a node. */
const HEARTBEAT_MS = 15_000;
/** People in one statement. */
const BATCH = 500;
/** People in one event. Where more have changed, clients ask for those whom they show. */
const MAX_PEOPLE = 100;

/** How a person is shown from now on, and the servers in which they are. */
export interface PresenceNews {
  shown: Shown;
  serverIds: string[];
}

interface Ways {
  /** Tells the other nodes. */
  tellOthers(news: PresenceNews): void;
  /** The number of readers of a server here. */
  audienceOf(serverId: string): number;
  /** Tells the readers of a server here. */
  tell(news: LiveNews): void;
}

/**
 * Who is online: the people with a stream on any node. Each node notes its own in the database, and says from time to time that it
 * is alive. Changes are gathered, and told at most once in a while to each stream: the more streams a server has, the more seldom.
 * A node without streams of people does nothing.
 */
export class Presences {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #ways: Ways;
  readonly #nodeId = randomUUID();
  /** The streams of each person here. */
  readonly #streams = new Map<string, number>();
  /** People who have come and are not noted yet. */
  readonly #coming = new Set<string>();
  /** People without streams who are still noted, and the time in ms at which they are not any more. */
  readonly #leaving = new Map<string, number>();
  /** People to be told of: true for those who have themselves changed how they are shown. */
  readonly #changed = new Map<string, boolean>();
  /** By server, those of whom its readers here are to be told. */
  readonly #untold = new Map<string, Map<string, Shown>>();
  /** By server, the time before which its readers are told no more, by `performance.now()`. */
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

  /** A person has opened a stream. */
  enter(userId: string): void {
    const streams = this.#streams.get(userId) ?? 0;
    this.#streams.set(userId, streams + 1);
    if (streams === 0 && !this.#leaving.delete(userId)) this.#coming.add(userId);
    this.#start();
  }

  /** A stream of a person has ended. */
  leave(userId: string): void {
    const streams = (this.#streams.get(userId) ?? 1) - 1;
    if (streams > 0) this.#streams.set(userId, streams);
    else {
      this.#streams.delete(userId);
      if (!this.#coming.delete(userId)) this.#leaving.set(userId, this.#now() + GRACE_MS);
    }
  }

  /** A person has changed how they are shown. */
  changed(userId: string): void {
    this.#changed.set(userId, true);
    this.#start();
  }

  /** News of another node. */
  hear(all: readonly PresenceNews[]): void {
    for (const { shown, serverIds } of all) {
      for (const serverId of serverIds) {
        if (this.#ways.audienceOf(serverId) === 0) continue;
        const people = this.#untold.get(serverId) ?? new Map<string, Shown>();
        // One more than an event has says that it is not whole.
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
      // Another node tells of its people, as of those of a node that has died.
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
      // The data are out of reach: the next tick tries again.
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

  /** Notes who has come and gone, and that this node is alive. */
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
      // Whatever was noted of this node before is gone: everybody who is here comes anew.
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

  /** Removes what dead nodes have noted: each by one node, which tells of their people. */
  async #bury(now: number): Promise<void> {
    for (const { id } of await this.#db.read.all(deadNodes({ now }))) {
      const people = await this.#db.write(async (tx) => {
        const found = await peopleOf(tx, id);
        return (await tx.count(remove('presenceNode', { id }))) === 1 ? found : [];
      });
      for (const userId of people) this.#changed.set(userId, this.#changed.get(userId) ?? false);
    }
  }

  /** Looks up how those who have changed are shown, and where. */
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
    // The comings and goings of somebody who is invisible would tell of them.
    const told = shown.filter(({ isInvisible, userId }) => !isInvisible || isOwn.get(userId));
    const news = told.map(({ isInvisible: _, ...one }) => ({
      shown: one,
      serverIds: memberships.get(one.userId) ?? [],
    }));
    for (const one of news) this.#ways.tellOthers(one);
    this.hear(news);
  }

  /** Tells the readers of each server that was not told of late: at most a thousand readers a second of each. */
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
      this.#ways.tell({ type: 'presence.updated', serverId, channelId: null, actorId: null, at, data });
    }
  }
}
