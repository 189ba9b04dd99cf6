import type { Viewer } from '../access/visibility.ts';
import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { beginEpochWhereMoved } from './epoch.ts';
import type { EventTable } from './eventKind.ts';
import { Indicators } from './indicators.ts';
import { type LiveNews, toLiveEvent } from './logged.ts';
import type { Relay } from './news.ts';
import { Reader } from './reader.ts';
import { type Filter, Tail } from './tail.ts';

/** Logs are looked at this often in any case, in milliseconds: without news from other nodes, and with them. */
const POLL_MS = 1_000;
const POLL_WITH_NEWS_MS = 5_000;
/** Polls that a tail outlives its last reader by: a client that polls is back before that. */
const IDLE_POLLS = 5;

/** An open tail; polls since its last reader left. */
interface OpenTail {
  tail: Promise<Tail>;
  idle: number;
}

/**
 * Follows the logs of servers and users for all readers of this process. Each log is read once, by its tail: when this process has
 * appended to it, when another one says that it has, and now and then.
 */
export class Feed {
  readonly indicators: Indicators;
  /** Every type of event. */
  readonly events: EventTable;
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now' | 'randomBytes'>;
  readonly #relay: Relay | undefined;
  readonly #tails = new Map<string, OpenTail>();
  readonly #wakeListeners: ((logId: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastPoll = performance.now();

  /** `relay` connects it with the other processes on the data, where they can be told. */
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
    this.#timer = setInterval(() => this.#look(), POLL_MS);
    this.#timer.unref();
  }

  /** Follows the log of a server or a user, from its latest event on. See `Reader`. */
  async reader(logId: string, filter: Filter, askViewer: () => Promise<Viewer>): Promise<Reader> {
    for (;;) {
      const entry = this.#tailOf(logId);
      entry.idle = 0;
      const tail = await entry.tail;
      await tail.wake();
      // The tail may have been dropped meanwhile: then nobody would wake it.
      if (this.#tails.get(logId) === entry) return new Reader(this.#db, tail, filter, askViewer);
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

  /** Told of logs that a commit of this process has appended to. */
  wake(logIds: Iterable<string>): void {
    const logs = [...logIds];
    this.#wake(logs);
    this.#relay?.tellWake(logs);
  }

  /** Tells a live event to all streams of its server, on every node. */
  tell(news: LiveNews): void {
    this.indicators.hear(news);
    this.#relay?.tellLive(news);
  }

  /** Adds a function that is called for every log that has grown, as far as this process is told. */
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

  #look(): void {
    const period = this.#relay?.up ? POLL_WITH_NEWS_MS : POLL_MS;
    if (performance.now() - this.#lastPoll >= period - POLL_MS / 2) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#lastPoll = performance.now();
    try {
      await beginEpochWhereMoved(this.#db, this.#deps);
      await Promise.all([...this.#tails].map(([logId, entry]) => this.#pollTail(logId, entry)));
    } catch {
      // The data cannot be reached just now; the requests say so.
    }
  }

  async #pollTail(logId: string, entry: OpenTail): Promise<void> {
    const tail = await entry.tail;
    entry.idle = tail.listeners.size > 0 ? 0 : entry.idle + 1;
    const isSound = entry.idle > 0 || (await tail.isSound());
    if (entry.idle > IDLE_POLLS || !isSound) this.#tails.delete(logId);
    if (!isSound) for (const listener of tail.listeners) listener.onLost();
    else if (entry.idle === 0) await tail.wake();
  }
}
