import type { Viewer } from '../access/visibility.ts';
import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { beginEpochWhereMoved } from './epoch.ts';
import type { EventTable } from './eventKind.ts';
import { Indicators } from './indicators.ts';
import { type LiveNews, toLiveEvent } from './logged.ts';
import type { Relay } from './news.ts';
import { Reader } from './reader.ts';
import type { Filter } from './span.ts';
import { Tail } from './tail.ts';

/** The time between two polls of each log while there is no news from other nodes. */
const POLL_MS = 1_000;
/** The same while there is. */
const POLL_WITH_NEWS_MS = 5_000;
/** Polls for which a tail stays open without a reader: a client that long-polls is back sooner. */
const MAX_IDLE_POLLS = 5;

interface OpenTail {
  tail: Promise<Tail>;
  /** Polls since its last reader left. */
  idle: number;
}

/**
 * Follows the logs of servers and users for all readers of this process. Each log has one tail, which reads new events
 * once for all readers: after a commit of this process, after news of another process's commit, and at each poll.
 */
export class Feed {
  readonly indicators: Indicators;
  /** All types of events. */
  readonly events: EventTable;
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now' | 'randomBytes'>;
  readonly #relay: Relay | undefined;
  readonly #tails = new Map<string, OpenTail>();
  readonly #wakeListeners: ((logId: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastPoll = performance.now();

  /** `relay` connects the feeds of the processes on the same data. */
  constructor(db: Db, deps: Pick<Deps, 'now' | 'randomBytes'>, events: EventTable, relay?: Relay) {
    this.#db = db;
    this.events = events;
    this.#deps = deps;
    this.#relay = relay;
    this.indicators = new Indicators(deps.now, (news) => {
      this.#tails
        .get(news.serverId)
        ?.tail.then((tail) => tail.tell(toLiveEvent(news, events)))
        .catch(() => {});
    });
    relay?.onWake((logIds) => this.#wake(logIds));
    relay?.onLive((news) => this.indicators.hear(news as LiveNews));
    relay?.onGap(() => void this.#poll());
    this.#timer = setInterval(() => this.#pollIfDue(), POLL_MS);
    this.#timer.unref();
  }

  /** A reader of the log of a server or a user, placed after its latest event. */
  async reader(logId: string, filter: Filter, loadViewer: () => Promise<Viewer>): Promise<Reader> {
    for (;;) {
      const entry = this.#tailOf(logId);
      entry.idle = 0;
      const tail = await entry.tail;
      await tail.wake();
      // The tail may have been dropped meanwhile. Nothing wakes a dropped tail, so open another.
      if (this.#tails.get(logId) === entry) return new Reader(this.#db, tail, filter, loadViewer);
    }
  }

  #tailOf(logId: string): OpenTail {
    let entry = this.#tails.get(logId);
    if (!entry) {
      entry = { tail: Tail.open(this.#db, this.events, logId), idle: 0 };
      this.#tails.set(logId, entry);
      entry.tail.catch(() => this.#tails.delete(logId));
    }
    return entry;
  }

  /** Call it with the logs to which a commit of this process has appended. */
  wake(logIds: Iterable<string>): void {
    const logs = [...logIds];
    this.#wake(logs);
    this.#relay?.tellWake(logs);
  }

  /** Sends a live event to all streams of its server, on every node. */
  tell(news: LiveNews): void {
    this.indicators.hear(news);
    this.#relay?.tellLive(news);
  }

  /** Calls `listener` for each log that has grown. Without a relay, only commits of this process are noticed. */
  onWake(listener: (logId: string) => void): void {
    this.#wakeListeners.push(listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.indicators.close();
  }

  #wake(logIds: readonly string[]): void {
    for (const logId of logIds) {
      this.#tails
        .get(logId)
        ?.tail.then((tail) => tail.wake())
        .catch(() => {});
      for (const listener of this.#wakeListeners) listener(logId);
    }
  }

  #pollIfDue(): void {
    const period = this.#relay?.up ? POLL_WITH_NEWS_MS : POLL_MS;
    if (performance.now() - this.#lastPoll >= period - POLL_MS / 2) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#lastPoll = performance.now();
    try {
      await beginEpochWhereMoved(this.#db, this.#deps);
      await Promise.all([...this.#tails].map(([logId, entry]) => this.#pollTail(logId, entry)));
    } catch {
      // The data are out of reach: requests report that, and the next poll tries again.
    }
  }

  async #pollTail(logId: string, entry: OpenTail): Promise<void> {
    const tail = await entry.tail;
    entry.idle = tail.listeners.size > 0 ? 0 : entry.idle + 1;
    const isIntact = entry.idle > 0 || (await tail.isIntact());
    if (entry.idle > MAX_IDLE_POLLS || !isIntact) this.#tails.delete(logId);
    if (!isIntact) for (const listener of tail.listeners) listener.onLost();
    else if (entry.idle === 0) await tail.wake();
  }
}
