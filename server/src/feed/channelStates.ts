import { sql } from 'kysely';
import type { ChannelView } from '../access/predicates.ts';
import type { Reader } from '../db/contract.ts';
import { prepareKnown } from '../db/known.ts';
import { q } from '../db/statements.ts';
import type { ChannelState, LiveEvent, LoggedEvent } from './logged.ts';

/** A cached channel older than this, in ms, is reloaded before one of its events is delivered. */
const FRESH_MS = 250;
/**
 * The age in ms at which `freshen` reloads a cached channel. The rest of `FRESH_MS` is for the load, and for
 * notifying a batch of listeners.
 */
export const AGING_MS = FRESH_MS / 2;
/** Maximum number of cached channels. A full cache is cleared. */
const MAX_CACHED_CHANNELS = 10_000;

/** The view of an unknown channel. It is visible only to viewers who see every channel. */
const hidden: ChannelView = { private: true, readonly: false, roleIds: [], memberIds: null };

const channelsAmong = prepareKnown<{ id: string }, ChannelView & { id: string }>({ id: 'uuid' }, (ids) =>
  q
    .selectFrom(ids.as('known'))
    .innerJoin('channel', 'channel.id', 'known.id')
    .select(['channel.id', 'private', 'readonly', 'roleIds', 'memberIds']),
);

/**
 * Caches one log's channels for delivery. Entries must be short-lived, because any channel may have just
 * become private.
 */
export class ChannelStates {
  readonly #db: Reader;
  /**
   * The map is created for the first event that has a channel, because events in users' own logs have none.
   */
  #states: Map<string, ChannelState> | undefined;

  constructor(db: Reader) {
    this.#db = db;
  }

  /** Sets `channel` on each event. Reloads views older than `maxAge` ms; with `reload`, reloads all of them. */
  async attach(
    events: readonly (LoggedEvent | LiveEvent)[],
    maxAge: number | 'reload' = FRESH_MS,
  ): Promise<void> {
    // The map is keyed by state, because an event may still hold a state from before the cache was cleared.
    const due = new Map<ChannelState, string>();
    const oldest = maxAge === 'reload' ? Number.POSITIVE_INFINITY : performance.now() - maxAge;
    for (const event of events) {
      const { channelId } = event;
      if (channelId === null) continue;
      event.channel ??= this.#stateOf(channelId);
      if (event.channel.checkedAt < oldest) due.set(event.channel, channelId);
    }
    if (due.size === 0) return;
    // Readers that fall behind at the same time need the same views, so they share the loads.
    const shared = new Set<Promise<void>>();
    for (const state of due.keys()) {
      if (!state.load || state.load.from < oldest) continue;
      shared.add(state.load.done);
      due.delete(state);
    }
    if (due.size > 0) shared.add(this.#refresh(due));
    await Promise.all(shared);
  }

  /** Reloads the events' views before they become too old for delivery. */
  freshen(events: readonly LoggedEvent[]): Promise<void> {
    return this.attach(events, AGING_MS);
  }

  async #refresh(due: ReadonlyMap<ChannelState, string>): Promise<void> {
    const from = performance.now();
    const load = { from, done: this.#update(due, from) };
    for (const state of due.keys()) state.load = load;
    try {
      await load.done;
    } finally {
      for (const state of due.keys()) if (state.load === load) state.load = undefined;
    }
  }

  async #update(due: ReadonlyMap<ChannelState, string>, from: number): Promise<void> {
    const views = await this.#load([...new Set(due.values())]);
    for (const [state, channelId] of due) {
      // A concurrent load may have started later and finished earlier. Its result is newer and is kept.
      if (state.checkedAt > from) continue;
      state.view = views.get(channelId) ?? hidden;
      state.checkedAt = from;
    }
  }

  #stateOf(channelId: string): ChannelState {
    this.#states ??= new Map();
    let state = this.#states.get(channelId);
    if (!state) {
      if (this.#states.size >= MAX_CACHED_CHANNELS) this.#states.clear();
      state = { view: hidden, checkedAt: Number.NEGATIVE_INFINITY, load: undefined };
      this.#states.set(channelId, state);
    }
    return state;
  }

  async #load(channelIds: string[]): Promise<Map<string, ChannelView>> {
    const ids = channelIds.map((id) => ({ id }));
    const found = await this.#db.all(channelsAmong(this.#db.dialect, ids));
    const views = new Map<string, ChannelView>(found.map((channel) => [channel.id, channel]));
    const deleted = channelIds.filter((id) => !views.has(id));
    if (deleted.length > 0) for (const [id, view] of await this.#lastViews(deleted)) views.set(id, view);
    return views;
  }

  /** Returns the last views of deleted channels, from the records in their `channel.deleted` events. */
  async #lastViews(channelIds: string[]): Promise<[string, ChannelView][]> {
    const deletions = await this.#db.all(
      q
        .selectFrom('event')
        .select(['channelId', 'data'])
        .where('type', '=', sql.lit('channel.deleted'))
        .where('channelId', 'in', channelIds),
    );
    return deletions.map(({ channelId, data }) => [channelId as string, JSON.parse(data) as ChannelView]);
  }
}

/** Whether the events' cached channel views are fresh enough for delivery. */
export function areFresh(events: readonly LoggedEvent[]): boolean {
  const oldest = performance.now() - FRESH_MS;
  return events.every(({ channelId, channel }) => channelId === null || (channel?.checkedAt ?? 0) >= oldest);
}
