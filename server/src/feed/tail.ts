import type { Reader as Data, Db } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { areFresh, ChannelStates } from './channelStates.ts';
import type { EventPlace } from './eventId.ts';
import type { EventTable } from './eventKind.ts';
import { type EventRow, type LiveEvent, type LoggedEvent, toEvent } from './logged.ts';
import { isThere, latestPlace } from './places.ts';

/** Events that are read at once. */
const BATCH_EVENTS = 500;
/** The latest events that are kept, and their characters: readers who are a little behind need no look at the database. */
const MAX_KEPT_EVENTS = 1_000;
const MAX_KEPT_LENGTH = 4 * 1024 * 1024;

const columns = [
  'logId',
  'seq',
  'type',
  'actorId',
  'channelId',
  'userId',
  'lostBy',
  'at',
  'data',
  'epoch',
] as const;
const eventsAfter = prepare((p: { logId: string; after: number; limit: number }) =>
  q
    .selectFrom('event')
    .select(columns)
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(p.limit),
);

/** Told when the log has grown, and of live events. */
export interface Listener {
  onEvents(): void;
  onLive(event: LiveEvent): void;
  /** The log is another than it was, as after a failover that lost some of it. */
  onLost(): void;
}

/** The events that a reader wants. */
export interface Filter {
  /** All if left out. */
  types?: ReadonlySet<string> | undefined;
  channelId?: string | undefined;
}

/** The end of one log, read once for all who follow it. */
export class Tail {
  readonly logId: string;
  readonly listeners = new Set<Listener>();
  readonly db: Data;
  readonly #authorityChanged: () => void;
  readonly #events: EventTable;
  readonly #channels: ChannelStates;
  /** The latest events without a gap; the last of them is the one at `latest`. */
  #kept: LoggedEvent[] = [];
  #keptLength = 0;
  #latest: EventPlace;
  #recent: { after: number; latest: EventPlace; events: readonly LoggedEvent[] | undefined } | undefined;
  #reading: Promise<void> | undefined;
  #again = false;

  private constructor(db: Db, events: EventTable, logId: string, latest: EventPlace) {
    this.db = db.read;
    this.logId = logId;
    this.#authorityChanged = () => db.authorityChanged();
    this.#events = events;
    this.#latest = latest;
    this.#channels = new ChannelStates(db.read);
  }

  static async open(db: Db, events: EventTable, logId: string): Promise<Tail> {
    return new Tail(db, events, logId, await latestPlace(db.read, logId));
  }

  /** The place of the latest event that the tail has seen. */
  get latest(): EventPlace {
    return this.#latest;
  }

  /** True unless the log is another than it was. */
  async isSound(): Promise<boolean> {
    return this.#latest.seq === 0 || isThere(this.db, this.logId, this.#latest);
  }

  /** Has the tail look for new events. Resolves once it has, or has failed to: it will be woken again. */
  wake(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readOn()
      .catch(() => {})
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readOn(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const after = this.#latest.seq;
      const events = await this.#load(eventsAfter({ logId: this.logId, after, limit: BATCH_EVENTS }));
      if (events.length === 0) continue;
      // By then this process must know as well, or a client that reads anew would be shown the same again.
      if (events.some(({ lostBy }) => lostBy && 'roleId' in lostBy)) this.#authorityChanged();
      await this.#channels.tie(events, true);
      this.#keep(events);
      if (events.length === BATCH_EVENTS) this.#again = true;
      for (const listener of this.listeners) listener.onEvents();
    }
  }

  async #load(query: Parameters<Data['all']>[0]): Promise<LoggedEvent[]> {
    return ((await this.db.all(query)) as EventRow[]).map((row) => toEvent(row, this.#events));
  }

  #keep(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      this.#kept.push(event);
      this.#keptLength += event.json.length;
    }
    let surplus = Math.max(0, this.#kept.length - MAX_KEPT_EVENTS);
    let length = this.#keptLength;
    for (let index = 0; index < this.#kept.length; index++) {
      if (index >= surplus && length <= MAX_KEPT_LENGTH) break;
      length -= (this.#kept[index] as LoggedEvent).json.length;
      surplus = Math.max(surplus, index + 1);
    }
    if (surplus > 0) this.#kept = this.#kept.slice(surplus);
    this.#keptLength = length;
    this.#latest = events.at(-1) as LoggedEvent;
  }

  /**
   * All events after a number, from memory; undefined where that needs a look at the database. Equal questions get the same
   * list.
   */
  recent(after: number): readonly LoggedEvent[] | undefined {
    const known = this.#recent;
    if (known?.after !== after || known.latest !== this.#latest) {
      this.#recent = { after, latest: this.#latest, events: this.#keptAfter(after) };
    }
    const events = this.#recent?.events;
    return events && areFresh(events) ? events : undefined;
  }

  #keptAfter(after: number): readonly LoggedEvent[] | undefined {
    if (after === this.#latest.seq) return [];
    const first = this.#kept[0];
    if (!first || after < first.seq - 1 || after > this.#latest.seq) return undefined;
    // A list of its own: streams remember the text of a list, and `#kept` grows.
    return this.#kept.slice(after - first.seq + 1);
  }

  /**
   * Some events after a place: those that the filter lets through, and those by which a viewer may have lost sight of a
   * channel, at most `limit`; and the place up to which everything was looked at.
   */
  async read(
    after: EventPlace,
    filter: Filter,
    limit: number,
  ): Promise<{ events: LoggedEvent[]; place: EventPlace }> {
    const known = this.#keptAfter(after.seq);
    const looked =
      known?.slice(0, BATCH_EVENTS) ??
      (await this.#load(eventsAfter({ logId: this.logId, after: after.seq, limit: BATCH_EVENTS })));
    const events: LoggedEvent[] = [];
    let place = after;
    for (const event of looked) {
      if (events.length === limit) break;
      place = event;
      if (event.lostBy || matches(event, filter)) events.push(event);
    }
    await this.#channels.tie(events);
    return { events, place };
  }

  /** Tells a live event to all who listen. */
  async tell(event: LiveEvent): Promise<void> {
    await this.#channels.tie([event], true);
    for (const listener of this.listeners) listener.onLive(event);
  }
}

/** True for an event that the filter lets through. */
export const matches = ({ type, channelId }: LoggedEvent | LiveEvent, filter: Filter): boolean =>
  (filter.types === undefined || filter.types.has(type)) &&
  (filter.channelId === undefined || filter.channelId === channelId);
