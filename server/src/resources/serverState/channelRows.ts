import type { Viewer } from '../../access/visibility.ts';
import { seesChannel, sightKey } from '../../access/visibility.ts';
import type { RowOf } from '../../db/schema.ts';
import { Recent } from '../../lib/recent.ts';

/** Maximum cached sets of visible channels per server. */
const MAX_SIGHTS = 64;

/** The channels visible to some members of a server: those with the same `sightKey`. */
export interface Sight {
  /** The visible channels, by position. */
  readonly channels: readonly RowOf<'channel'>[];
  /** The ids of these channels, sorted. */
  readonly channelIds: readonly string[];
  /** All roles of the server, by id. */
  readonly roles: readonly RowOf<'role'>[];
}

/** A consistent snapshot of all channels and roles of a server, without direct messages. */
export class ChannelRows {
  readonly channels: readonly RowOf<'channel'>[];
  readonly roles: readonly RowOf<'role'>[];
  /** The roles that some private channel lists. */
  readonly #listed: ReadonlySet<string>;
  readonly #sights = new Recent<string, Sight>(MAX_SIGHTS);

  constructor(channels: readonly RowOf<'channel'>[], roles: readonly RowOf<'role'>[]) {
    this.channels = channels.toSorted(
      (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
    );
    this.roles = roles;
    this.#listed = new Set(channels.flatMap((channel) => (channel.private ? channel.roleIds : [])));
  }

  /** The channels visible to a member of the server. */
  sightOf(viewer: Viewer): Sight {
    const key = sightKey(viewer, this.#listed);
    const known = this.#sights.get(key);
    if (known) return known;
    const channels = this.channels.filter((channel) => seesChannel(viewer, channel));
    const sight = { channels, channelIds: channels.map(({ id }) => id).sort(), roles: this.roles };
    this.#sights.set(key, sight);
    return sight;
  }
}
