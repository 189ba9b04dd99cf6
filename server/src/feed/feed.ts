import type { Viewer } from '../access/visibility.ts';
import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { beginEpochWhereMoved } from './epoch.ts';
import { Indicators, type LiveNews } from './indicators.ts';
import type { Relay } from './news.ts';
import { Reader } from './reader.ts';
import { type Filter, Tail } from './tail.ts';

/** How often the log is looked at in any case, in milliseconds: where nobody tells, and where somebody does. */
const POLL = 1_000;
const POLL_WHEN_TOLD = 5_000;
/** Looks at the log that a tail lives on without readers: one that polls comes back at once. */
const IDLE_LOOKS = 5;

/** A log that somebody follows, and looks at it since nobody does. */
interface Followed {
  tail: Promise<Tail>;
  idle: number;
}

/**
 * Everything that follows the logs of servers in this process. Each log is read once, by its tail, whoever follows it; the
 * tail looks when this process has appended something, when another one says that it has, and now and then.
 */
export class Feed {
  readonly indicators: Indicators;
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now' | 'randomBytes'>;
  readonly #relay: Relay | undefined;
  readonly #tails = new Map<string, Followed>();
  readonly #wakeListeners: ((serverId: string) => void)[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastPoll = performance.now();

  /** `relay` connects it with the other processes on the data, where they can be told. */
  constructor(db: Db, deps: Pick<Deps, 'now' | 'randomBytes'>, relay?: Relay) {
    this.#db = db;
    this.#deps = deps;
    this.#relay = relay;
    this.indicators = new Indicators(deps.now, (event) => {
      this.#tails
        .get(event.serverId)
        ?.tail.then((tail) => tail.tell(event))
        .catch(() => {});
    });
    relay?.onWake((serverIds) => this.#wake(serverIds));
    relay?.onLive((news) => this.indicators.hear(news as LiveNews));
    relay?.onGap(() => void this.#poll());
    this.#timer = setInterval(() => this.#look(), POLL);
    this.#timer.unref();
  }

  /** Follows a server's log, from its latest event on. See `Reader`. */
  async reader(serverId: string, filter: Filter, askViewer: () => Promise<Viewer>): Promise<Reader> {
    for (;;) {
      const entry = this.#followed(serverId);
      entry.idle = 0;
      const tail = await entry.tail;
      await tail.wake();
      // It may have been given up meanwhile, and nobody would wake it.
      if (this.#tails.get(serverId) === entry) return new Reader(this.#db, tail, filter, askViewer);
    }
  }

  #followed(serverId: string): Followed {
    let entry = this.#tails.get(serverId);
    if (!entry) {
      entry = { tail: Tail.open(this.#db.read, serverId), idle: 0 };
      this.#tails.set(serverId, entry);
      entry.tail.catch(() => this.#tails.delete(serverId));
    }
    return entry;
  }

  /** Told of servers whose logs a commit of this process has made longer. */
  wake(serverIds: Iterable<string>): void {
    const servers = [...serverIds];
    this.#wake(servers);
    this.#relay?.tellWake(servers);
  }

  /** Tells all who are there what is of the moment, on every node. */
  tell(news: LiveNews): void {
    this.indicators.hear(news);
    this.#relay?.tellLive(news);
  }

  /** Sets what is called for every server whose log has become longer, as far as that is told. */
  onWake(listener: (serverId: string) => void): void {
    this.#wakeListeners.push(listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.indicators.close();
  }

  #wake(serverIds: readonly string[]): void {
    for (const serverId of serverIds) {
      this.#tails
        .get(serverId)
        ?.tail.then((tail) => tail.wake())
        .catch(() => {});
      for (const listener of this.#wakeListeners) listener(serverId);
    }
  }

  #look(): void {
    const period = this.#relay?.up ? POLL_WHEN_TOLD : POLL;
    if (performance.now() - this.#lastPoll >= period - POLL / 2) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#lastPoll = performance.now();
    try {
      await beginEpochWhereMoved(this.#db, this.#deps);
      await Promise.all([...this.#tails].map(([serverId, entry]) => this.#pollTail(serverId, entry)));
    } catch {
      // The data cannot be reached just now; the requests say so.
    }
  }

  async #pollTail(serverId: string, entry: Followed): Promise<void> {
    const tail = await entry.tail;
    entry.idle = tail.listeners.size > 0 ? 0 : entry.idle + 1;
    const isSound = entry.idle > 0 || (await tail.isSound());
    if (entry.idle > IDLE_LOOKS || !isSound) this.#tails.delete(serverId);
    if (!isSound) for (const listener of tail.listeners) listener.onLost();
    else if (entry.idle === 0) await tail.wake();
  }
}
