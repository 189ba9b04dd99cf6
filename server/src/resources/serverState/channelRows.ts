import type { Viewer } from '../../access/visibility.ts';
import { seesChannel, sightKey } from '../../access/visibility.ts';
import type { RowOf } from '../../db/schema.ts';
import { Recent } from '../../lib/recent.ts';

/** Maximum number of cached sets of visible channels per server. */
const MAX_SIGHTS = 64;

/** The channels that are visible to the members of a server with the same `sightKey`. */
export interface Sight {
  /** The visible channels, by position. */
  readonly channels: readonly RowOf<'channel'>[];
  /** The ids of these channels, sorted. */
  readonly channelIds: readonly string[];
  /** All roles of the server, by id. */
  readonly roles: readonly RowOf<'role'>[];
  /** All categories of the server, by position. */
  readonly categories: readonly RowOf<'category'>[];
  /** All custom emoji of the server, by id. */
  readonly emoji: readonly RowOf<'emoji'>[];
}

/** The rows that are contained in the shared parts of a snapshot. */
type Rows = { [Table in 'channel' | 'role' | 'category' | 'emoji']: readonly RowOf<Table>[] };

const byPosition = (one: Positioned, other: Positioned): number =>
  one.position - other.position || (one.id < other.id ? -1 : 1);

type Positioned = Pick<RowOf<'channel'>, 'position' | 'id'>;

/**
 * A consistent snapshot of all channels, categories, roles and custom emoji of a server, without direct
 * messages.
 */
export class ChannelRows {
  readonly channels: readonly RowOf<'channel'>[];
  readonly roles: readonly RowOf<'role'>[];
  readonly categories: readonly RowOf<'category'>[];
  readonly emoji: readonly RowOf<'emoji'>[];
  /** The roles that appear in the `roleIds` of private channels. */
  readonly #listed: ReadonlySet<string>;
  readonly #sights = new Recent<string, Sight>(MAX_SIGHTS);

  constructor({ channel, role, category, emoji }: Rows) {
    this.channels = channel.toSorted(byPosition);
    this.roles = role;
    this.categories = category.toSorted(byPosition);
    this.emoji = emoji;
    this.#listed = new Set(channel.flatMap((one) => (one.private ? one.roleIds : [])));
  }

  /** Returns the channels that are visible to a member of the server. */
  sightOf(viewer: Viewer): Sight {
    const key = sightKey(viewer, this.#listed);
    const known = this.#sights.get(key);
    if (known) return known;
    const channels = this.channels.filter((channel) => seesChannel(viewer, channel));
    const { roles, categories, emoji } = this;
    const sight = { channels, channelIds: channels.map(({ id }) => id).sort(), roles, categories, emoji };
    this.#sights.set(key, sight);
    return sight;
  }
}
