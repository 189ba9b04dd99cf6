import { setImmediate as turn } from 'node:timers/promises';
import type { Viewer } from '../access/visibility.ts';
import type { Db } from '../db/contract.ts';
import { type EventPlace, eventIdOf } from './eventId.ts';
import { type LiveEvent, type LoggedEvent, sees } from './logged.ts';
import { type Gap, latestPlace, oldestPlace, placeAfter } from './places.ts';
import { sightLostBy } from './sight.ts';
import { type Filter, type Listener, matches, type Tail } from './tail.ts';

/** Batches of the log that are looked through at most for one page. */
const MAX_BATCHES = 20;

/** Follows one log for one viewer, from event to event. */
export class Reader implements Listener {
  readonly filter: Filter;
  /** Called when there may be more to read, and for each live event that the viewer sees. */
  onEvents = (): void => {};
  tellLive = (_event: LiveEvent): void => {};
  /** Called where the viewer has lost sight of a channel, in the place of the event by which that happened. */
  tellSight = (_event: LiveEvent): void => {};
  /** Called when the log is another than it was: the cursor is to be sought anew. */
  onLost = (): void => {};
  readonly #db: Pick<Db, 'authorityVersion'>;
  readonly #tail: Tail;
  readonly #askViewer: () => Promise<Viewer>;
  #viewer: Viewer | undefined;
  /** The `authorityVersion` that the viewer was asked at. */
  #version = Number.NaN;
  #place: EventPlace;

  /** Begins at the latest event. `askViewer` is asked anew whenever who may do what has changed; what it throws ends the reading. */
  constructor(
    db: Pick<Db, 'authorityVersion'>,
    tail: Tail,
    filter: Filter,
    askViewer: () => Promise<Viewer>,
  ) {
    this.#db = db;
    this.#tail = tail;
    this.filter = filter;
    this.#askViewer = askViewer;
    this.#place = tail.latest;
    tail.listeners.add(this);
  }

  /** The cursor of the place up to which everything was looked at. */
  get cursor(): string {
    return eventIdOf(this.#tail.logId, this.#place);
  }

  /** True if nothing is known to come after the cursor. */
  get isAtEnd(): boolean {
    return this.#place.seq >= this.#tail.latest.seq;
  }

  /** Goes to the place after the event with this id, and stays where it is if that cannot be. */
  async seek(cursor: string): Promise<Gap | undefined> {
    const { db, logId } = this.#tail;
    const found = await placeAfter(db, logId, cursor);
    if ('gap' in found) return found.gap;
    this.#place = found.place;
    return undefined;
  }

  /** Goes to the place before the oldest event that is kept. */
  async seekOldest(): Promise<void> {
    this.#place = await oldestPlace(this.#tail.db, this.#tail.logId);
  }

  /** Goes to the place after the latest event. */
  async seekLatest(): Promise<void> {
    this.#place = await latestPlace(this.#tail.db, this.#tail.logId);
  }

  /**
   * The next events, at most `limit`, that the viewer sees and that the filter lets through; fewer, or none, where the log ends
   * or only much of it was looked through. The cursor is then after all that was looked at.
   */
  async next(limit: number): Promise<LoggedEvent[]> {
    const shown: LoggedEvent[] = [];
    for (let batch = 0; batch < MAX_BATCHES && shown.length < limit; batch++) {
      if (batch > 0) await turn();
      const before = this.#place.seq;
      const { events, place } = await this.#tail.read(this.#place, this.filter, limit - shown.length);
      const viewer = await this.#currentViewer();
      for (const event of events) {
        if (this.#isShown(viewer, event)) shown.push(event);
        if (event.lostBy) this.#tellSight(viewer, event);
      }
      this.#place = place;
      if (place.seq === before) break;
    }
    return shown;
  }

  /**
   * The same for all that is new, at once, from memory; undefined where something has to be looked up first. Readers at the
   * same place that see all of it get the same list.
   */
  recent(): readonly LoggedEvent[] | undefined {
    const viewer = this.#viewer;
    if (!viewer || this.#version !== this.#db.authorityVersion()) return undefined;
    const events = this.#tail.recent(this.#place.seq);
    if (!events || events.some(({ lostBy }) => lostBy)) return undefined;
    this.#place = events.at(-1) ?? this.#place;
    const isShown = (event: LoggedEvent) => this.#isShown(viewer, event);
    return events.every(isShown) ? events : events.filter(isShown);
  }

  /** Resolves once something comes after the cursor, or `ms` milliseconds have passed, or `signal` says so. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (!this.isAtEnd || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.onEvents = () => {};
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
      this.onEvents = done;
    });
  }

  onLive(event: LiveEvent): void {
    if (!matches(event, this.filter)) return;
    this.#currentViewer().then(
      (viewer) => sees(viewer, event) && this.tellLive(event),
      () => {},
    );
  }

  /** Ends the reading. */
  close(): void {
    this.#tail.listeners.delete(this);
  }

  #isShown(viewer: Viewer, event: LoggedEvent): boolean {
    return matches(event, this.filter) && sees(viewer, event);
  }

  #tellSight(viewer: Viewer, event: LoggedEvent): void {
    const lost = sightLostBy(event, viewer);
    const { types, channelId = lost?.channelId } = this.filter;
    const isWanted = types === undefined || types.has('sight');
    if (lost && isWanted && (lost.channelId === null || lost.channelId === channelId)) this.tellSight(lost);
  }

  async #currentViewer(): Promise<Viewer> {
    const version = this.#db.authorityVersion();
    if (!this.#viewer || version !== this.#version) {
      this.#viewer = await this.#askViewer();
      this.#version = version;
    }
    return this.#viewer;
  }
}
