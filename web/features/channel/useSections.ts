import { useMemo } from 'react';
import { useChannelFacts, useChannels, useRows } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import type { Rows } from '../../replica/types.ts';
import { useUserId } from '../session/index.ts';
import { isUnreadFirst, placementOf, useUnreadFirst } from './placement.ts';
import { channelsInOrder, type OwnList, ownListOf, type Placement, sectionsOf } from './sections.ts';

/** A server's channels as the user arranged them. */
export function useOwnList(serverId: string, openId: string | undefined): OwnList {
  const channels = useChannels(serverId);
  const direct = useRows('channel', 'direct', serverId);
  const categories = useRows('category', 'serverId', serverId);
  const [unreadFirst] = useUnreadFirst(useUserId());
  const ids = useMemo(() => [...channels, ...direct].map(({ id }) => id), [channels, direct]);
  const placements = useChannelFacts<Placement>(serverId, ids, (session, id) =>
    placementOf(session, serverId, id),
  );
  return useMemo(() => {
    const known = new Map(ids.map((id, at) => [id, placements[at] as Placement]));
    return ownListOf({
      ...{ channels, direct, categories, openId, isUnreadFirst: unreadFirst },
      placementOf: (id) => known.get(id) ?? 'plain',
    });
  }, [channels, direct, categories, ids, placements, openId, unreadFirst]);
}

/** A server's channels by category, including those that the user left. */
export function useChannelsInOrder(serverId: string): readonly Rows['channel'][] {
  const channels = useChannels(serverId);
  const categories = useRows('category', 'serverId', serverId);
  return useMemo(
    () => sectionsOf(channels, categories).flatMap((section) => section.channels),
    [channels, categories],
  );
}

/** A server's channels and favorites in the order of the user's list. */
export const listedChannels = (session: Session, serverId: string, openId: string | undefined) =>
  channelsInOrder(session, serverId, {
    placementOf: (id) => placementOf(session, serverId, id),
    isUnreadFirst: isUnreadFirst(session.replica.userId ?? ''),
    openId,
  });
