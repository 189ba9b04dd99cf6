import { type Db, type Reader as DbReader, MAX_PAGE_BYTES, Unavailable } from '../db/contract.ts';
import { Audience, type Listener } from './audience.ts';
import { areFresh, ChannelStates } from './channelStates.ts';
import { Contents } from './contents.ts';
import type { LogPosition } from './eventId.ts';
import type { EventTable } from './eventKind.ts';
import { Kept } from './kept.ts';
import { standingTypes } from './log.ts';
import { type LiveEvent, type LoggedEvent, toEvent } from './logged.ts';
import { hasEventAt, latestPosition, oldestPosition } from './positions.ts';
import {
  eventsAfter,
  type Filter,
  isLarge,
  readSpan,
  readSpanBefore,
  type SpanRow,
  withData,
} from './span.ts';

/** Events per read from the database. */
const BATCH_EVENTS = 500;
/**
 * Reads the end of one log, once for all its readers, and caches its latest events. It never rewinds: if the
 * log was replaced, the feed closes the tail and its readers reconnect.
 */
export class Tail {
  readonly logId: string;
  readonly listeners = new Set<Listener>();
  readonly #audience = new Audience(this.listeners, (after) => this.#freshen(after));
  readonly db: DbReader;
  readonly #authorityChanged: (ids: readonly string[]) => void;
  readonly #events: EventTable;
  readonly #channels: ChannelStates;
  /** The latest events. The last one is at `latest`. */
  readonly #kept = new Kept();
  #latest: LogPosition;
  #recent: { after: number; latest: LogPosition; events: readonly LoggedEvent[] | undefined } | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  private constructor(db: Db, events: EventTable, logId: string, latest: LogPosition) {
    this.db = db.readFor(logId);
    this.logId = logId;
    this.#authorityChanged = (ids) => db.authorityChanged(ids.map((id) => [id, 0]));
    this.#events = events;
    this.#latest = latest;
    this.#channels = new ChannelStates(db.read);
  }

  static async open(db: Db, events: EventTable, logId: string): Promise<Tail> {
    return Tail.at(db, events, logId, await latestPosition(db.read, logId));
  }

  static at(db: Db, events: EventTable, logId: string, latest: LogPosition): Tail {
    return new Tail(db, events, logId, latest);
  }

  /** The position of the latest event that the tail has read. */
  get latest(): LogPosition {
    return this.#latest;
  }

  /** Returns false if the log was replaced and no longer has the latest event that the tail has read. */
  async isIntact(): Promise<boolean> {
    return this.#latest.seq === 0 || hasEventAt(this.db, this.logId, this.#latest);
  }

  /**
   * Whether `next` continues the log that contains `place`: it has the same epoch, or a later one in which
   * the log still contains `place`.
   */
  async #isNext(place: LogPosition, next: LogPosition | undefined): Promise<boolean> {
    if (!next || place.seq === 0 || next.epoch === place.epoch) return true;
    // The position before the oldest event has no event.
    const oldest = await oldestPosition(this.db, this.logId);
    return place.seq === oldest.seq || hasEventAt(this.db, this.logId, place);
  }

  /** Reads new events. Never rejects: after a failure, the next wake-up or poll reads them. */
  wake(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readOn();
    return this.#reading;
  }

  async #readOn(): Promise<void> {
    try {
      // Nothing is awaited between the last check of `#again` and the end, so no wake-up is lost.
      while (this.#again) {
        this.#again = false;
        await this.#readNext();
      }
    } catch {
    } finally {
      this.#reading = undefined;
    }
  }

  async #readNext(): Promise<void> {
    const { events, isWhole } = await this.#load(this.#latest.seq);
    if (events.length === 0) return;
    // The events are from another log. The next poll also notices this and closes the tail.
    if (!(await this.#isNext(this.#latest, events[0]))) return;
    await this.#attachNew(events);
    this.#kept.add(events);
    const before = this.#latest;
    this.#latest = events.at(-1) as LoggedEvent;
    this.#recent = undefined;
    if (!isWhole) this.#again = true;
    this.#audience.tellEvents(before, events);
  }

  /** Sets the current `channel` on new events. */
  async #attachNew(events: readonly LoggedEvent[]): Promise<void> {
    // A client refetches when it gets `sight`. This process must invalidate its permissions first. Otherwise,
    // the client would see the same data again.
    if (events.some(({ lostBy }) => lostBy && 'roleId' in lostBy)) this.#authorityChanged([this.logId]);
    // A member who has just been assigned a role must receive the next events in the channels that the role
    // can see.
    const standings = events.filter(({ type }) => standingTypes.has(type));
    if (standings.length > 0)
      this.#authorityChanged([...new Set(standings.map(({ json }) => JSON.parse(json).data.userId))]);
    await this.#channels.attach(events, 'reload');
  }

  /**
   * Returns the next events after a sequence number: up to `BATCH_EVENTS`, or about `MAX_PAGE_BYTES` if they
   * are large.
   */
  async #load(after: number): Promise<{ events: LoggedEvent[]; isWhole: boolean }> {
    const { logId } = this;
    const rows = await this.db.all(eventsAfter({ logId, after, limit: BATCH_EVENTS }));
    const contents = await Contents.of(this.db, rows);
    const events: LoggedEvent[] = [];
    let largeBytes = 0;
    for (const row of rows) {
      const isBig = isLarge(row) || contents.isLarge(row);
      if (isBig && largeBytes >= MAX_PAGE_BYTES) break;
      const event = await this.#toEvent(row, contents);
      if (!event) break;
      if (isBig) largeBytes += Buffer.byteLength(event.json);
      events.push(event);
    }
    return { events, isWhole: events.length === rows.length && rows.length < BATCH_EVENTS };
  }

  /**
   * Reloads the channel views of the cached events after a position, so that `recent` returns them. Otherwise,
   * each reader would read and serialize these events again.
   */
  #freshen(after: LogPosition): Promise<void> {
    return this.#channels.freshen(this.#keptAfter(after.seq) ?? []);
  }

  /** Converts a row to an event. Undefined if retention has removed the event since its row was read. */
  async #toEvent(row: SpanRow, contents: Contents): Promise<LoggedEvent | undefined> {
    const whole = await withData(this.db, row, contents);
    return whole && toEvent(whole, this.#events);
  }

  /**
   * Returns all events after a sequence number from memory. Undefined if the database has to be read. Calls
   * with the same number return the same array until an event is added.
   */
  recent(after: number): readonly LoggedEvent[] | undefined {
    const cached = this.#recent;
    if (cached?.after !== after || cached.latest !== this.#latest) {
      this.#recent = { after, latest: this.#latest, events: this.#keptAfter(after) };
    }
    const events = this.#recent?.events;
    return events && areFresh(events) ? events : undefined;
  }

  #keptAfter(after: number): readonly LoggedEvent[] | undefined {
    return after === this.#latest.seq ? [] : this.#kept.after(after);
  }

  /**
   * Returns up to `limit` events after a position, or about `maxBytes` of JSON: those that match the filter,
   * and those through which a viewer may have lost access to a channel. Scans at most one batch, or one span
   * (`readSpan`); `place` is the position up to which the log was scanned. Throws `Unavailable` if the log
   * was replaced. The caller then has to seek its cursor again.
   */
  async read(
    after: LogPosition,
    filter: Filter,
    limit: number,
    maxBytes: number,
  ): Promise<{ events: LoggedEvent[]; place: LogPosition }> {
    const kept = this.#keptAfter(after.seq)?.slice(0, BATCH_EVENTS);
    const { rows, place: end } = kept
      ? { rows: kept, place: kept.at(-1) ?? after }
      : await readSpan(this.db, this.logId, after, filter, limit);
    if (!(await this.#isNext(after, rows[0]))) throw new Unavailable('the log was replaced');
    const wanted = kept ? [] : (rows as SpanRow[]).filter((row) => row.lostBy || matches(row, filter));
    const contents = await Contents.of(this.db, wanted);
    const events: LoggedEvent[] = [];
    let place = after;
    let bytes = 0;
    for (const row of rows) {
      if (events.length === limit || bytes >= maxBytes) break;
      if (row.lostBy || matches(row, filter)) {
        const event = 'json' in row ? row : await this.#toEvent(row, contents);
        if (!event) break;
        events.push(event);
        bytes += Buffer.byteLength(event.json);
      }
      place = row;
    }
    // The filter may have skipped events after the last row.
    if (place.seq === (rows.at(-1) ?? after).seq) place = end;
    // The tail may not have read the last events yet or applied their changes.
    const { seq: known } = this.#latest;
    await this.#attachNew(events.filter(({ seq }) => seq > known));
    await this.#channels.attach(events.filter(({ seq }) => seq <= known));
    return { events, place };
  }

  /**
   * Returns up to `limit` events before a sequence number that match the filter, newest first, or about
   * `maxBytes` of JSON. `place` is where the scan stopped; undefined at the beginning of the log. Throws
   * `Unavailable` for events that the tail has not read yet, because these may have revoked access.
   */
  async readBefore(
    before: number,
    filter: Filter,
    limit: number,
    maxBytes: number,
  ): Promise<{ events: LoggedEvent[]; place: LogPosition | undefined }> {
    if (before > this.#latest.seq + 1) throw new Unavailable('the latest events have not been read yet');
    const rows = await readSpanBefore(this.db, this.logId, before, filter, limit);
    const contents = await Contents.of(
      this.db,
      rows.filter((row) => matches(row, filter)),
    );
    const events: LoggedEvent[] = [];
    let place: LogPosition | undefined;
    let bytes = 0;
    for (const row of rows) {
      if (bytes >= maxBytes) break;
      const event = matches(row, filter) ? await this.#toEvent(row, contents) : undefined;
      if (event) {
        events.push(event);
        bytes += Buffer.byteLength(event.json);
      }
      place = row;
    }
    await this.#channels.attach(events);
    return { events, place };
  }

  async tell(event: LiveEvent): Promise<void> {
    await this.#channels.attach([event], 'reload');
    await this.#audience.tell((listener) => listener.onLive(event));
  }
}

export const matches = (
  { type, channelId }: Pick<LoggedEvent | LiveEvent, 'type' | 'channelId'>,
  filter: Filter,
): boolean =>
  (filter.types === undefined || filter.types.has(type)) &&
  (filter.channelId === undefined || filter.channelId === channelId);
