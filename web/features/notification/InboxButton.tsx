import { useLayoutEffect } from 'react';
import { useServers, useSession } from '../../replica/hooks.ts';
import { navigate, useRoute } from '../../routes.ts';
import { notification as t } from '../../strings/en/frame.ts';
import { isApple } from '../../ui/apple.ts';
import { IconButton } from '../../ui/index.ts';
import { useUnreadCount } from './useNewsCount.ts';

/** Focuses the open inbox. Returns false if it already has the focus or is not rendered yet. */
function focusInbox(): boolean {
  const panel = document.querySelector<HTMLElement>('.side-panel');
  if (!panel || panel.contains(document.activeElement)) return false;
  (panel.querySelector<HTMLElement>('[data-item][tabindex="0"]') ?? panel).focus();
  return true;
}

/**
 * A button that toggles the inbox panel, with a badge for unread notifications. Ctrl Shift M also toggles the
 * panel, except that it focuses an open inbox that lacks the focus.
 */
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
  useLayoutEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'm' || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.defaultPrevented || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      if (isOpen && focusInbox()) return;
      // When the inbox opens, it takes the focus only from an element, not from the body, because a reload
      // must not move the focus.
      if (document.activeElement === document.body) document.getElementById('main')?.focus();
      toggle();
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  });
  if (servers.length === 0) return null;
  return (
    <IconButton
      icon="inbox"
      label={t.inboxWith({ count })}
      keys={isApple ? '⌘ ⇧ M' : 'Ctrl Shift M'}
      isOn={isOpen}
      hasNews={count > 0}
      onClick={toggle}
    />
  );
}
