import { sql } from 'kysely';
import type { ChannelView } from '../access/predicates.ts';
import type { Reader } from '../db/contract.ts';
import { q } from '../db/statements.ts';
import type { ChannelState, LiveEvent, LoggedEvent } from './logged.ts';

/** A channel's view that is older than this, in milliseconds, is looked up again before an event of it is shown. */
const FRESH_MS = 250;
/** Channels that are remembered before all are forgotten. */
const MAX_REMEMBERED = 10_000;

/** A channel that only those see who see every channel. */
const hidden: ChannelView = { private: true, readonly: false, roleIds: [] };

/** The views of a server's channels, looked up for each delivery: a channel may have become private a moment ago. */
export class ChannelStates {
  readonly #db: Reader;
  readonly #states = new Map<string, ChannelState>();

  constructor(db: Reader) {
    this.#db = db;
  }

  /** Ties events to the states of their channels, and looks up those that are not fresh; with `anew`, all of them. */
  async tie(events: readonly (LoggedEvent | LiveEvent)[], anew = false): Promise<void> {
    const due = new Map<string, ChannelState>();
    const oldest = anew ? Number.POSITIVE_INFINITY : performance.now() - FRESH_MS;
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

  /** The views of channels that are gone, by their records at the end. */
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

/** True if the views of the events' channels are fresh enough to go by. */
export function areFresh(events: readonly LoggedEvent[]): boolean {
  const oldest = performance.now() - FRESH_MS;
  return events.every(({ channelId, channel }) => channelId === null || (channel?.checkedAt ?? 0) >= oldest);
}
