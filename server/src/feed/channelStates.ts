import type { ChannelView } from '../access/predicates.ts';
import type { Reader } from '../db/contract.ts';
import { sql } from '../db/kysely.ts';
import { q } from '../db/statements.ts';
import type { ChannelState, LiveEvent, LoggedEvent } from './logged.ts';

/** A channel's view that is older than this is read again before an event of the channel is delivered. */
const FRESH_MS = 250;
/** Size of the cache of channels; a full cache is emptied. */
const MAX_CACHED_CHANNELS = 10_000;

/** The view of a channel of which nothing is known: only viewers who see every channel see it. */
const hidden: ChannelView = { private: true, readonly: false, roleIds: [] };

/**
 * The views of the channels of one log, for deliveries. They are cached for moments only: a channel may have become
 * private just now.
 */
export class ChannelStates {
  readonly #db: Reader;
  /** Made for the first event of a channel: the logs of people have none. */
  #states: Map<string, ChannelState> | undefined;

  constructor(db: Reader) {
    this.#db = db;
  }

  /** Sets `channel` of each event. Reads the views that are not fresh; with `reload`, all of them. */
  async attach(events: readonly (LoggedEvent | LiveEvent)[], reload = false): Promise<void> {
    // By state: an event may still have one from before the cache was emptied.
    const due = new Map<ChannelState, string>();
    const oldest = reload ? Number.POSITIVE_INFINITY : performance.now() - FRESH_MS;
    for (const event of events) {
      const { channelId } = event;
      if (channelId === null) continue;
      event.channel ??= this.#stateOf(channelId);
      if (event.channel.checkedAt < oldest) due.set(event.channel, channelId);
    }
    if (due.size === 0) return;
    const now = performance.now();
    const views = await this.#load([...new Set(due.values())]);
    for (const [state, channelId] of due) {
      // Somebody may have begun later and ended sooner.
      if (state.checkedAt > now) continue;
      state.view = views.get(channelId) ?? hidden;
      state.checkedAt = now;
    }
  }

  #stateOf(channelId: string): ChannelState {
    this.#states ??= new Map();
    let state = this.#states.get(channelId);
    if (!state) {
      if (this.#states.size >= MAX_CACHED_CHANNELS) this.#states.clear();
      state = { view: hidden, checkedAt: Number.NEGATIVE_INFINITY };
      this.#states.set(channelId, state);
    }
    return state;
  }

  async #load(channelIds: string[]): Promise<Map<string, ChannelView>> {
    const found = await this.#db.all(
      q.selectFrom('channel').select(['id', 'private', 'readonly', 'roleIds']).where('id', 'in', channelIds),
    );
    const views = new Map<string, ChannelView>(found.map((channel) => [channel.id, channel]));
    const deleted = channelIds.filter((id) => !views.has(id));
    if (deleted.length > 0) for (const [id, view] of await this.#lastViews(deleted)) views.set(id, view);
    return views;
  }

  /** The views of deleted channels, from the records in their `channel.deleted` events. */
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

/** True if the events may be delivered by the views that they have. */
export function areFresh(events: readonly LoggedEvent[]): boolean {
  const oldest = performance.now() - FRESH_MS;
  return events.every(({ channelId, channel }) => channelId === null || (channel?.checkedAt ?? 0) >= oldest);
}
