import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';

type Channel = Rows['channel'];
type Category = Rows['category'];

/** Channels that are listed together: those of a category, or those without one. */
export interface Section {
  readonly category: Category | undefined;
  readonly channels: readonly Channel[];
}

/** Groups a server's channels by category. Channels without a category come first. */
export function sectionsOf(channels: readonly Channel[], categories: readonly Category[]): Section[] {
  const loose: Channel[] = [];
  const inside = new Map<string | null, Channel[]>(categories.map(({ id }) => [id, []]));
  // The category of a channel may be deleted, or not loaded yet.
  for (const channel of channels) (inside.get(channel.categoryId) ?? loose).push(channel);
  return [
    { category: undefined, channels: loose },
    ...categories.map((category) => ({ category, channels: inside.get(category.id) ?? [] })),
  ];
}

/**
 * How a channel is listed for the user: as a `favorite`; not at all if it is `left`, unless a mention is
 * unread (`calling`); with unread messages (`unread`); or `plain`.
 */
export type Placement = 'favorite' | 'favorite unread' | 'left' | 'calling' | 'unread' | 'plain';

/** A user's channel list, split into sections. */
export interface OwnList {
  /** Favorites are in no other section. */
  favorites: readonly Channel[];
  sections: readonly Section[];
}

interface OwnListOf {
  channels: readonly Channel[];
  direct: readonly Channel[];
  categories: readonly Category[];
  placementOf: (channelId: string) => Placement;
  isUnreadFirst: boolean;
  /** The open channel, which is listed even if the user left it. */
  openId: string | undefined;
}

const isUnread = (placement: Placement): boolean => /unread|calling/.test(placement);

/** Returns a server's channel list as the user arranged it. */
export function ownListOf(of: OwnListOf): OwnList {
  const { channels, direct, categories, placementOf, isUnreadFirst, openId } = of;
  const isFavorite = ({ id }: Channel) => placementOf(id).startsWith('favorite');
  const ordered = (some: readonly Channel[]): readonly Channel[] =>
    isUnreadFirst
      ? [
          ...some.filter(({ id }) => isUnread(placementOf(id))),
          ...some.filter(({ id }) => !isUnread(placementOf(id))),
        ]
      : some;
  const listed = channels.filter(
    (one) => !isFavorite(one) && (placementOf(one.id) !== 'left' || one.id === openId),
  );
  return {
    favorites: ordered([...channels, ...direct].filter(isFavorite)),
    sections: sectionsOf(listed, categories).map((section) => ({
      ...section,
      channels: ordered(section.channels),
    })),
  };
}

/** The channels of `ownListOf` as one list, favorites first. For use outside components. */
export const channelsInOrder = (
  { replica }: Session,
  serverId: string,
  own: Omit<OwnListOf, 'channels' | 'direct' | 'categories'>,
): readonly Channel[] => {
  const { favorites, sections } = ownListOf({
    ...own,
    channels: replica.rows('channel', 'serverId', serverId),
    direct: replica.rows('channel', 'direct', serverId),
    categories: replica.rows('category', 'serverId', serverId),
  });
  return [...favorites, ...sections.flatMap(({ channels }) => channels)];
};
