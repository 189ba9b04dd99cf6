import { useActions, useServers } from '../../../replica/hooks.ts';
import { notification as t } from '../../../strings/en/frame.ts';
import { confirm, IconButton, Menu, type MenuItem, toast } from '../../../ui/index.ts';
import { useUnreadCount } from '../useNewsCount.ts';

/** Bulk actions on notifications. */
export function InboxTools() {
  const servers = useServers();
  const count = useUnreadCount();
  const { readNotifications, clearNotifications } = useActions();
  const inAll = (act: (serverId: string) => Promise<void>) => Promise.all(servers.map(({ id }) => act(id)));
  const items: MenuItem[] = [
    {
      label: t.clearAll,
      icon: 'trash',
      isDanger: true,
      onSelect: () =>
        confirm.ask({
          title: t.clearAsk,
          text: t.clearMore,
          action: t.clearAll,
          isDanger: true,
          onConfirm: () => inAll(clearNotifications),
        }),
    },
  ];
  return (
    <>
      <IconButton
        icon="mail-open"
        label={t.readAll}
        hasNews={count > 0}
        onClick={() => void inAll(readNotifications).catch(toast.error)}
      />
      <Menu label={t.more} items={items} placement="below-end">
        {(trigger) => <IconButton {...trigger} icon="ellipsis" label={t.more} />}
      </Menu>
    </>
  );
}
