/**
 * The event feed: publish/subscribe over append-only logs, one per server and one per user. A write appends
 * its events in its transaction (`log.ts`). After the commit, `wake` notifies subscribers here and, through
 * Valkey, on other nodes. One `Tail` per followed log reads new events once for all its `Reader`s. If a
 * notification is lost, a poll delivers the events about `POLL_WITH_NEWS_MS` later (docs/decisions/0035).
 * Delivery is in log order, at least once. Clients resume from a cursor, or get a `Gap`.
 */

import type { Viewer } from '../access/visibility.ts';
import type { Db } from '../db/contract.ts';
import type { Deps } from '../lib/deps.ts';
import { Pulse } from '../lib/pulse.ts';
import { Deltas } from './deltas.ts';
import { beginEpochWhereMoved } from './epoch.ts';
import type { LogPosition } from './eventId.ts';
import type { EventTable } from './eventKind.ts';
import { Indicators } from './indicators.ts';
import { type NewLiveEvent, toLiveEvent } from './logged.ts';
import { LogPoller } from './logPoller.ts';
import { People } from './people.ts';
import { type Bounds, type Gap, gapBefore, logBounds, movedLogs } from './positions.ts';
import { type PresenceChange, Presences } from './presences.ts';
import { Reader } from './reader.ts';
import type { Filter } from './span.ts';
import { Tail } from './tail.ts';
import type { Relay } from './valkeyRelay.ts';

/** Poll intervals for logs that grew: without notifications from other nodes, and with them. */
const POLL_MS = 1_000;
const POLL_WITH_NEWS_MS = 5_000;
/** Interval of the full check of all tails against their logs. It also runs after a failure. */
const CHECK_MS = 60_000;
/** Tails checked per statement. */
const CHECKED_AT_ONCE = 500;
/** A tail without readers is closed after more polls than this. Long-polling clients return before that. */
const MAX_IDLE_POLLS = 5;

type FeedDeps = Pick<Deps, 'now' | 'randomBytes'>;

interface OpenTail {
  tail: Promise<Tail>;
  /** The tail; undefined until it is open. */
  opened?: Tail;
  /** Polls since the last reader left. */
  idle: number;
}

/** Opens readers and dispatches notifications. There is one feed per process. */
export class Feed {
  readonly indicators: Indicators;
  readonly presences: Presences;
  readonly deltas: Deltas;
  readonly events: EventTable;
  readonly #db: Db;
  readonly #deps: FeedDeps;
  readonly #relay: Relay | undefined;
  readonly #tails = new Map<string, OpenTail>();
  readonly #people = new People();
  readonly #wakeListeners: ((logId: string) => void)[] = [];
  readonly #pulse: Pulse;
  readonly #stopPolling: () => void;
  readonly #lookout: LogPoller;
  #lastPoll = performance.now();
  #lastCheck = performance.now();
  #checkedEpoch: string | undefined;

  /** `relay` connects the feeds of processes that share the data. `pulse` schedules the polls. */
  constructor(db: Db, deps: FeedDeps, events: EventTable, relay?: Relay, pulse = new Pulse()) {
    this.#pulse = pulse;
    this.#db = db;
    this.events = events;
    this.#deps = deps;
    this.#relay = relay;
    this.#lookout = new LogPoller(db, deps);
    this.indicators = new Indicators(deps.now, this.#tellServer);
    this.deltas = new Deltas(deps.now, relay, this.#tellServer);
    relay?.onWake((logIds) => this.#wake(logIds));
    relay?.onLive((news) => this.#hear(news as NewLiveEvent));
    this.presences = new Presences(db, deps.now, {
      tellOthers: (news) => relay?.tellOf('presence', news),
      audienceOf: (serverId) => this.#tails.get(serverId)?.opened?.listeners.size ?? 0,
      tell: this.#tellServer,
    });
    relay?.onNewsOf('personal', (all) => this.#tellPeople(all as NewLiveEvent[]));
    relay?.onNewsOf('presence', (all) => this.presences.hear(all as PresenceChange[]));
    relay?.onGap(() => void this.#poll());
    this.#stopPolling = pulse.every(POLL_MS, () => this.#pollIfDue());
    pulse.stayAwakeWhile(() => this.#tails.size > 0);
  }

  /**
   * Opens a reader of a server's or user's log after the latest event. With `personId`, the user of a
   * session, the reader also gets the server's live events for this person.
   */
  async reader(
    logId: string,
    filter: Filter,
    loadViewer: (logId: string) => Promise<Viewer>,
    personId?: string,
  ): Promise<Reader> {
    for (;;) {
      const entry = this.#tailOf(logId);
      entry.idle = 0;
      const tail = await entry.tail;
      await tail.wake();
      // If the tail was closed during these awaits, it is never woken again, so another is opened.
      if (this.#tails.get(logId) !== entry) continue;
      return this.#readerOn(tail, filter, loadViewer, personId);
    }
  }

  /**
   * Opens several logs with one statement. Each reader starts at its `after`, or after the latest event if it
   * has none or if there is a gap, which is returned. `personId` is as for `reader`.
   */
  async readers(
    asked: readonly { logId: string; after: LogPosition | undefined }[],
    loadViewer: (logId: string) => Promise<Viewer>,
    personId?: string,
  ): Promise<{ reader: Reader; gap: Gap | undefined }[]> {
    const logs = asked.map(({ logId, after }) => ({ logId, seq: after?.seq ?? -1 }));
    const bounds = logBounds(this.#db.read, logs);
    const latestOf = async (logId: string) => ((await bounds).get(logId) as Bounds).latest;
    // The tails are added before the first await, so every commit from here on wakes them.
    const entries = asked.map(({ logId }) =>
      this.#tailOf(logId, async () => Tail.at(this.#db, this.events, logId, await latestOf(logId))),
    );
    const found = await bounds;
    const opened = await Promise.allSettled(
      asked.map(async ({ logId, after }, index) => {
        const known = found.get(logId) as Bounds;
        const entry = entries[index] as OpenTail;
        const reader = await this.#readerAt(logId, entry, known.latest, loadViewer, personId);
        const gap = after && gapBefore(logId, after, known);
        if (after && !gap) reader.goTo(after);
        return { reader, gap };
      }),
    );
    const failed = opened.find((one) => one.status === 'rejected');
    const readers = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (!failed) return readers;
    for (const { reader } of readers) reader.close();
    throw failed.reason;
  }

  /** Returns a reader positioned after a log's latest event, which is at least `latest`. */
  async #readerAt(
    logId: string,
    entry: OpenTail,
    latest: LogPosition,
    loadViewer: (logId: string) => Promise<Viewer>,
    personId: string | undefined,
  ): Promise<Reader> {
    entry.idle = 0;
    const tail = await entry.tail;
    const { seq, epoch } = tail.latest;
    if (seq < latest.seq || (seq === latest.seq && epoch !== latest.epoch)) await tail.wake();
    if (this.#tails.get(logId) !== entry) return this.reader(logId, {}, loadViewer, personId);
    return this.#readerOn(tail, {}, loadViewer, personId);
  }

  #readerOn(
    tail: Tail,
    filter: Filter,
    loadViewer: (logId: string) => Promise<Viewer>,
    personId: string | undefined,
  ): Reader {
    const reader = new Reader(this.#db, tail, filter, loadViewer);
    if (personId !== undefined) {
      this.#people.add(personId, reader);
      reader.onClose = () => this.#people.remove(personId, reader);
    }
    return reader;
  }

  #tailOf(logId: string, open = () => Tail.open(this.#db, this.events, logId)): OpenTail {
    let entry = this.#tails.get(logId);
    if (!entry) {
      const opening: OpenTail = { tail: open(), idle: 0 };
      this.#tails.set(logId, opening);
      opening.tail.then(
        (tail) => {
          opening.opened = tail;
        },
        () => this.#tails.delete(logId),
      );
      entry = opening;
    }
    return entry;
  }

  /** Notifies subscribers on all nodes. Call this after a commit, with the logs that have grown. */
  wake(logIds: Iterable<string>): void {
    const logs = [...logIds];
    this.#wake(logs);
    this.#relay?.tellWake(logs);
  }

  /** Broadcasts a live event to all streams of its server, or to those of its person, on every node. */
  tell(news: NewLiveEvent): void {
    if (news.userId) {
      this.#tellPeople([news]);
      this.#relay?.tellOf('personal', news);
      return;
    }
    this.#hear(news);
    this.#relay?.tellLive(news);
  }

  #hear(news: NewLiveEvent): void {
    if (this.events.find(news.type)?.live === 'indicator') this.indicators.hear(news);
    else this.#tellServer(news);
  }

  /** Subscribes to all logs. Each log that grew is reported on a notification or at the next poll. */
  onWake(listener: (logId: string) => void): void {
    this.#wakeListeners.push(listener);
  }

  close(): void {
    for (const part of [this.indicators, this.presences, this.deltas]) part.close();
    this.#stopPolling();
  }

  #wake(logIds: readonly string[]): void {
    this.#pulse.active();
    for (const logId of logIds) {
      const open = this.#tails.get(logId);
      open?.tail.then((tail) => tail.wake()).catch(() => {});
      for (const listener of this.#wakeListeners) listener(logId);
    }
  }

  /** Delivers a live event to this node's readers of its server. */
  readonly #tellServer = (news: NewLiveEvent): void => {
    const tail = this.#tails.get(news.serverId)?.tail;
    tail?.then((open) => open.tell(toLiveEvent(news, this.events))).catch(() => {});
  };

  #tellPeople(all: readonly NewLiveEvent[]): void {
    for (const news of all) if (news.userId) this.#people.tell(news.userId, toLiveEvent(news, this.events));
  }

  #pollIfDue(): void {
    const period = this.#relay?.up ? POLL_WITH_NEWS_MS : POLL_MS;
    if (performance.now() - this.#lastPoll >= period - POLL_MS / 2) void this.#poll();
  }

  async #poll(): Promise<void> {
    this.#lastPoll = performance.now();
    this.#closeIdle();
    try {
      const epoch = await beginEpochWhereMoved(this.#db, this.#deps);
      const { grown, isWhole } = await this.#lookout.look();
      if (!isWhole || epoch !== this.#checkedEpoch || performance.now() - this.#lastCheck >= CHECK_MS) {
        await this.#check([...this.#tails.keys()]);
        this.#lastCheck = performance.now();
        this.#checkedEpoch = epoch;
      } else {
        const differ = ([logId, seq]: [string, number]) => this.#tails.get(logId)?.opened?.latest.seq !== seq;
        await this.#check([...grown].filter(differ).map(([logId]) => logId));
      }
      for (const logId of grown.keys()) for (const listener of this.#wakeListeners) listener(logId);
    } catch {
      // The database is unavailable. Requests report this, and the next poll checks everything.
      this.#checkedEpoch = undefined;
    }
  }

  /** Closes tails that have had no readers for several polls. */
  #closeIdle(): void {
    for (const [logId, entry] of this.#tails) {
      if (!entry.opened) continue;
      entry.idle = entry.opened.listeners.size > 0 ? 0 : entry.idle + 1;
      if (entry.idle > MAX_IDLE_POLLS) this.#tails.delete(logId);
    }
  }

  /** Compares tails with their logs: reads new events, and closes tails whose log was replaced. */
  async #check(logIds: readonly string[]): Promise<void> {
    for (let first = 0; first < logIds.length; first += CHECKED_AT_ONCE) {
      const places = new Map<string, LogPosition>();
      for (const logId of logIds.slice(first, first + CHECKED_AT_ONCE)) {
        const tail = this.#tails.get(logId)?.opened;
        if (tail && tail.listeners.size > 0) places.set(logId, tail.latest);
      }
      if (places.size === 0) continue;
      const moved = await this.#db.read.inTurn((db) => movedLogs(db, places));
      await Promise.all(moved.map((logId) => this.#follow(logId)));
    }
  }

  async #follow(logId: string): Promise<void> {
    const tail = this.#tails.get(logId)?.opened;
    if (!tail) return;
    if (await tail.isIntact()) return tail.wake();
    this.#tails.delete(logId);
    for (const listener of tail.listeners) listener.onLost();
  }
}
