import { useEffect, useLayoutEffect, useRef } from 'react';
import { api } from '../../api/index.ts';
import { useConnection, useRow, useServers, useSession } from '../../replica/hooks.ts';
import { keepOwn } from '../../replica/own.ts';
import type { Route } from '../../routes.ts';
import { notification as t } from '../../strings/en/frame.ts';
import { toast, usePageTitle, useUnreadInTab } from '../../ui/index.ts';
import { useChannelName } from '../direct/index.ts';
import { PresenceLayer } from '../presence/index.ts';
import { listenForSearch } from '../search/keys/index.ts';
import { deviceState } from './device.ts';
import { showNotifications } from './tell.ts';
import { useUnreadCount } from './useNewsCount.ts';

/** How long, in ms, to show the toast about a removal from a server. */
const LONG = 60_000;

/**
 * Effects that run on every page, such as the unread count in the tab title and app badge, browser
 * notifications, and the user's own presence.
 */
export function Background({ route }: { route: Route }) {
  const session = useSession();
  const { isBooted, userId } = useConnection();
  useTitle(route);
  useRemovals();
  // Listens before the first paint, so no key is lost.
  useLayoutEffect(listenForSearch, []);
  useEffect(() => {
    if (isBooted && userId !== undefined) return showNotifications(session, userId);
  }, [session, isBooted, userId]);
  useEffect(() => {
    if (isBooted) keepOwn(session, api('none'));
  }, [session, isBooted]);
  useEffect(() => {
    if (isBooted && deviceState() === 'on')
      void import('./push/index.ts').then(({ syncPush }) => syncPush()).catch(() => undefined);
  }, [isBooted]);
  return <PresenceLayer />;
}

const none = { name: '', serverId: '', memberIds: null };

/** Sets the title, such as "(3) general · Palaver". Settings pages set their own. */
function useTitle(route: Route): void {
  const server = useRow('server', 'serverId' in route ? route.serverId : undefined);
  const channel = useRow('channel', route.page === 'server' ? route.channelId : undefined);
  const isHere = route.page === 'server' || route.page === 'home';
  const name = useChannelName(channel ?? none);
  usePageTitle(isHere ? name || (server?.name ?? '') : undefined);
  useUnreadInTab(useUnreadCount());
}

/** Shows a toast if the user is removed from a server, or the server is deleted, while the page is open. */
function useRemovals(): void {
  const servers = useServers();
  const known = useRef(new Map<string, string>());
  useEffect(() => {
    const now = new Map(servers.map(({ id, name }) => [id, name]));
    for (const [id, name] of known.current)
      if (!now.has(id)) toast.show(t.removed({ server: name }), { stays: LONG });
    known.current = now;
  }, [servers]);
}
