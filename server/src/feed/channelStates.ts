import { sql } from 'kysely';
import type { ChannelView } from '../access/predicates.ts';
import type { Reader } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import type { ChannelState, LiveEvent, LoggedEvent } from './logged.ts';

/** How long it may be since who sees a channel was looked up, in milliseconds, for an event to be shown. */
const FRESH = 250;
/** Channels that are remembered before all are forgotten. */
const MAX_REMEMBERED = 10_000;

/** Seen by those alone who see every channel. */
const hidden: ChannelView = { private: true, readonly: false, roleIds: [] };

/** Who sees the channels of a server, looked up for each delivery: a channel may have become private a moment ago. */
export class ChannelStates {
  readonly #db: Reader;
  readonly #states = new Map<string, ChannelState>();

  constructor(db: Reader) {
    this.#db = db;
  }

  /** Ties events to the states of their channels, and looks up those that are not fresh; with `anew`, all of them. */
  async tie(events: readonly (LoggedEvent | LiveEvent)[], anew = false): Promise<void> {
    const due = new Map<string, ChannelState>();
    const oldest = anew ? Number.POSITIVE_INFINITY : performance.now() - FRESH;
    for (const event of events) {
      const { channelId } = event;
      if (channelId === null) continue;
      event.channel ??= this.#stateOf(channelId);
      if (event.channel.checkedAt < oldest) due.set(channelId, event.channel);
    }
    if (due.size === 0) return;
    const now = performance.now();
    const views = await this.#load([...due.keys()]);
    for (const [channelId, state] of due) {
      state.view = views.get(channelId) ?? hidden;
      state.checkedAt = now;
    }
  }

  #stateOf(channelId: string): ChannelState {
    let state = this.#states.get(channelId);
    if (!state) {
      if (this.#states.size >= MAX_REMEMBERED) this.#states.clear();
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
    const gone = channelIds.filter((id) => !views.has(id));
    if (gone.length > 0) for (const [id, view] of await this.#lastOf(gone)) views.set(id, view);
    return views;
  }

  /** Who saw channels that are gone: by their records at the end. */
  async #lastOf(channelIds: string[]): Promise<[string, ChannelView][]> {
    const ends = await this.#db.all(
      q
        .selectFrom('event')
        .select(['channelId', 'data'])
        .where('type', '=', sql.lit('channel.deleted'))
        .where('channelId', 'in', channelIds),
    );
    return ends.map(({ channelId, data }) => [channelId as string, JSON.parse(data) as ChannelView]);
  }
}

/** True if what is known of the events' channels is fresh enough to go by. */
export function areFresh(events: readonly LoggedEvent[]): boolean {
  const oldest = performance.now() - FRESH;
  return events.every(({ channelId, channel }) => channelId === null || (channel?.checkedAt ?? 0) >= oldest);
}
