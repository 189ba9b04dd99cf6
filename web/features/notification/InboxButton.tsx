import { useServers, useSession } from '../../replica/hooks.ts';
import { navigate, useRoute } from '../../routes.ts';
import { notification as t } from '../../strings/en/frame.ts';
import { IconButton } from '../../ui/index.ts';
import { useUnreadCount } from './useNewsCount.ts';

/** Toggles the inbox panel, with a badge for unread notifications. */
export function InboxButton() {
  const count = useUnreadCount();
  const route = useRoute();
  const servers = useServers();
  const { replica } = useSession();
  const isOpen = route.page === 'server' && route.panel === 'inbox';
  const toggle = () => {
    if (route.page === 'server' && route.channelId !== undefined) {
      navigate({ ...route, threadId: undefined, words: undefined, panel: isOpen ? undefined : 'inbox' });
      return;
    }
    const own = 'serverId' in route ? route.serverId : undefined;
    const serverId = own ?? servers[0]?.id;
    if (serverId === undefined) return;
    const channelId = replica.rows('channel', 'serverId', serverId)[0]?.id;
    navigate({ page: 'server', serverId, channelId, panel: 'inbox' });
  };
  if (servers.length === 0) return null;
  return (
    <IconButton
      icon="inbox"
      label={t.inboxWith({ count })}
      isOn={isOpen}
      hasNews={count > 0}
      onClick={toggle}
    />
  );
}
