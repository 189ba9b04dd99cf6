import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';

type Channel = Rows['channel'];
type Category = Rows['category'];

/** Channels that lists show together: those of a category, or those without one. */
export interface Section {
  readonly category: Category | undefined;
  readonly channels: readonly Channel[];
}

/** The channels of a server as lists show them: those without a category first, then each category. */
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

/** `useChannelsInOrder` outside components. */
export const channelsInOrder = ({ replica }: Session, serverId: string): readonly Channel[] =>
  sectionsOf(
    replica.rows('channel', 'serverId', serverId),
    replica.rows('category', 'serverId', serverId),
  ).flatMap(({ channels }) => channels);
