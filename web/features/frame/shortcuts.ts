import { useLayoutEffect } from 'react';
import { byActivity } from '../../replica/direct.ts';
import { useSession } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';
import { currentRoute, navigate, type Route } from '../../routes.ts';
import { listedChannels } from '../channel/index.ts';

type ServerRoute = Extract<Route, { page: 'server' }>;

/**
 * Returns the id of a server's next (1) or previous (-1) channel, wrapping around at the ends. With `hasNews`, skips
 * channels without unread messages.
 */
function nextChannel(
  session: Session,
  place: ServerRoute,
  step: 1 | -1,
  hasNews: boolean,
): string | undefined {
  const { replica, reading } = session;
  const direct = byActivity(replica.rows('channel', 'direct', place.serverId), reading.latest);
  const listed = listedChannels(session, place.serverId, place.channelId);
  const ids = [...new Set([...listed, ...direct].map(({ id }) => id))];
  const at = place.channelId === undefined ? -1 : ids.indexOf(place.channelId);
  for (let away = 1; away <= ids.length; away++) {
    const id = ids[(at + step * away + ids.length * 2) % ids.length];
    if (id !== undefined && id !== place.channelId && (!hasNews || (reading.channel(id)?.unread ?? 0) > 0))
      return id;
  }
  return undefined;
}

/**
 * Global shortcuts: Alt and an arrow key open the previous or next channel; with Shift, the previous or
 * next unread channel.
 */
export function useShortcuts(): void {
  const session = useSession();
  useLayoutEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      // Reads the route now: on a slow device, the next key may come before a render with the new route.
      const route = currentRoute();
      if (route.page !== 'server') return;
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
      if (event.altKey && !event.ctrlKey && !event.metaKey && step) {
        const channelId = nextChannel(session, route, step, event.shiftKey);
        if (channelId === undefined) return;
        event.preventDefault();
        navigate({ page: 'server', serverId: route.serverId, channelId });
      }
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  }, [session]);
}
