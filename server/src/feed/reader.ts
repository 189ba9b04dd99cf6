import { setImmediate as turn } from 'node:timers/promises';
import type { Viewer } from '../access/visibility.ts';
import { type Db, MAX_PAGE_BYTES } from '../db/contract.ts';
import type { Listener } from './audience.ts';
import { type BackwardPage, readBackward } from './backward.ts';
import { eventIdOf, type LogPosition } from './eventId.ts';
import { type LiveEvent, type LoggedEvent, seenBy, sees } from './logged.ts';
import { type Gap, latestPosition, oldestPosition, positionAfter } from './positions.ts';
import type { Reading } from './reading.ts';
import { sightLostBy } from './sight.ts';
import type { Filter } from './span.ts';
import { matches, type Tail } from './tail.ts';

/** Maximum batches, or spans of the log, that one call of `next` scans. */
const MAX_BATCHES = 10;

const nothing = (): void => {};

type Authority = Pick<Db, 'authorityVersion' | 'authorityHasChanged'>;

/** Reads one log for one viewer, with a cursor, a filter, and a permission check at delivery. */
export class Reader implements Listener, Reading {
  readonly filter: Filter;
  onEvents: () => void = nothing;
  tellLive: (event: LiveEvent) => void = nothing;
  tellSight: (event: LiveEvent) => void = nothing;
  onLost: () => void = nothing;
  onClose: () => void = nothing;
  readonly #db: Authority;
  readonly #tail: Tail;
  readonly #loadViewer: (logId: string) => Promise<Viewer>;
  #viewer: Viewer | undefined;
  /** The `authorityVersion` for which the cached viewer was loaded. */
  #version = Number.NaN;
  #place: LogPosition;
  /** The end of the log when `next` was last called. */
  #end = 0;
  /** Set while the viewer is being loaded for live events. Further live events are queued in the meantime. */
  #telling: Promise<void> | undefined;

  /**
   * Starts after the latest event. `loadViewer` is called again whenever the viewer's permissions have
   * changed; `next` rethrows its errors.
   */
  constructor(db: Authority, tail: Tail, filter: Filter, loadViewer: (logId: string) => Promise<Viewer>) {
    this.#db = db;
    this.#tail = tail;
    this.filter = filter;
    this.#loadViewer = loadViewer;
    this.#place = tail.latest;
    tail.listeners.add(this);
  }

  get logId(): string {
    return this.#tail.logId;
  }

  get cursor(): string {
    return eventIdOf(this.#tail.logId, this.#place);
  }

  get userId(): string | null | undefined {
    return this.#viewer?.userId;
  }

  get isAtEnd(): boolean {
    return this.#place.seq >= this.#tail.latest.seq;
  }

  get hasMore(): boolean {
    return this.#place.seq < this.#end;
  }

  /** Moves to a cursor. If the log cannot be resumed from the cursor, returns the gap without moving. */
  async seek(cursor: string): Promise<Gap | undefined> {
    const { db, logId } = this.#tail;
    const found = await positionAfter(db, logId, cursor);
    if ('gap' in found) return found.gap;
    this.#place = found.place;
    return undefined;
  }

  /** Moves to a position that is known to be in the log. */
  goTo(place: LogPosition): void {
    this.#place = place;
  }

  /** Moves to just before the oldest stored event. */
  async seekOldest(): Promise<void> {
    this.#place = await oldestPosition(this.#tail.db, this.#tail.logId);
  }

  /** Moves to just after the latest event. */
  async seekLatest(): Promise<void> {
    this.#place = await latestPosition(this.#tail.db, this.#tail.logId);
  }

  async next(limit: number): Promise<LoggedEvent[]> {
    const shown: LoggedEvent[] = [];
    let room = MAX_PAGE_BYTES;
    this.#end = this.#tail.latest.seq;
    for (let batch = 0; batch < MAX_BATCHES && shown.length < limit && room > 0; batch++) {
      if (batch > 0) await turn();
      const before = this.#place.seq;
      const { events, place } = await this.#tail.read(this.#place, this.filter, limit - shown.length, room);
      const viewer = await this.#currentViewer();
      for (const event of events) {
        if (this.#isShown(viewer, event)) {
          const seen = seenBy(viewer, event);
          shown.push(seen);
          room -= Buffer.byteLength(seen.json);
        }
        if (event.lostBy) this.#tellSight(viewer, event);
      }
      this.#place = place;
      if (place.seq === before) break;
    }
    return shown;
  }

  /**
   * Returns up to `limit` events before the current position or, with `isFromEnd`, before the end of the log,
   * newest first. Does not move the position.
   */
  async backward(limit: number, isFromEnd: boolean): Promise<BackwardPage> {
    // Includes everything written before this call, even if the notification has not arrived yet.
    await this.#tail.wake();
    const before = isFromEnd ? this.#tail.latest.seq + 1 : this.#place.seq;
    return readBackward(this.#tail, () => this.#currentViewer(), { before, filter: this.filter, limit });
  }

  recent(): readonly LoggedEvent[] | undefined {
    const viewer = this.#knownViewer();
    if (!viewer) return undefined;
    const events = this.#tail.recent(this.#place.seq);
    if (!events || events.some(({ lostBy, earlier }) => lostBy || earlier)) return undefined;
    this.#place = events.at(-1) ?? this.#place;
    const isShown = (event: LoggedEvent) => this.#isShown(viewer, event);
    return events.every(isShown) ? events : events.filter(isShown);
  }

  passOver(from: LogPosition, to: LogPosition): void {
    const { seq } = this.#place;
    if (seq >= from.seq && seq < to.seq) this.#place = to;
  }

  /** Preserves the order of live events, even if the viewer has to be loaded for the first of them. */
  onLive(event: LiveEvent): void {
    if (!matches(event, this.filter)) return;
    const tell = (viewer: Viewer) => {
      if (sees(viewer, event)) this.tellLive(event);
    };
    const known = this.#telling ? undefined : this.#knownViewer();
    if (known) {
      tell(known);
      return;
    }
    const telling = (this.#telling ?? Promise.resolve())
      .then(() => this.#currentViewer())
      .then(tell)
      // Live events are not stored, so this one is lost. The stream is ended to make the client reconnect and
      // refetch.
      .catch(() => this.onLost())
      .finally(() => {
        if (this.#telling === telling) this.#telling = undefined;
      });
    this.#telling = telling;
  }

  close(): void {
    this.#tail.listeners.delete(this);
    this.onClose();
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

  /** Returns the cached viewer; undefined if their permissions have changed. */
  #knownViewer(): Viewer | undefined {
    const version = this.#db.authorityVersion();
    if (this.#viewer && version !== this.#version) {
      if (this.#db.authorityHasChanged(this.#version, this.#viewer)) this.#viewer = undefined;
      this.#version = version;
    }
    return this.#viewer;
  }

  async #currentViewer(): Promise<Viewer> {
    const known = this.#knownViewer();
    if (known) return known;
    const version = this.#db.authorityVersion();
    const viewer = await this.#loadViewer(this.#tail.logId);
    this.#viewer = viewer;
    this.#version = version;
    return viewer;
  }
}
