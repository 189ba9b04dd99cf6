import { useEffect } from 'react';
import type { Records } from '../../api/records.ts';
import { navigate, routeOf } from '../../routes.ts';
import { createStore, isNarrow } from '../../ui/index.ts';

/** The day, in ms, to which a channel's timeline should jump. */
const wanted = createStore<{ placeId: string; at: number } | undefined>(undefined);

/** Jumps to the first message on a day in a channel, and opens the channel if needed. */
export function goToDate({ id: channelId, serverId }: Records['Channel'], at: number): void {
  const now = routeOf(location.href);
  const isOpen = now.page === 'server' && now.channelId === channelId;
  // On a phone a panel covers the messages.
  if (!isOpen || (isNarrow() && (now.panel ?? now.threadId) !== undefined))
    navigate({ page: 'server', serverId, channelId });
  wanted.set({ placeId: channelId, at });
}

/** Calls `toDate` with the day requested for this timeline. */
export function useWantedDate(placeId: string, toDate: (at: number) => void): void {
  const now = wanted.use();
  useEffect(() => {
    if (now?.placeId !== placeId) return;
    wanted.set(undefined);
    toDate(now.at);
  }, [now, placeId, toDate]);
}
