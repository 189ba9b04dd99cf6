import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useServer, useUnread } from '../../replica/hooks.ts';
import { navigate, pathOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { serverMenu as t } from '../../strings/en/menus.ts';
import { type Anchor, copyText, type MenuItem, MenuList, toast } from '../../ui/index.ts';
import { createInvite } from '../invite/index.tsx';
import { levelItems } from '../level/items/index.ts';
import { ruleInWords } from '../settings/index.ts';
import { askToLeave } from './leave/index.tsx';

interface ServerItemsProps {
  server: Records['Server'];
  anchor: Anchor;
  onClose: () => void;
}

/** The menu of a server, for example to mark it as read, open its settings or leave it. */
export default function ServerItems({ server, anchor, onClose }: ServerItemsProps) {
  const { id: serverId, name, creatorId } = server;
  const actions = useActions();
  const userId = useServer(serverId).state?.standing.userId ?? '';
  const { unread, mentions, notifications, level, mutedUntil } = useUnread(serverId);
  const mayInvite = useMay(serverId, 'invite insert');
  const mayLeave = useMay(
    serverId,
    'serverMember delete',
    { ownerId: userId },
    { creatorStays: { userId, serverCreatorId: creatorId } },
  );
  const copyLink = async () => {
    await copyText(location.origin + pathOf({ page: 'server', serverId }));
    toast.show(common.copied);
  };
  const items: MenuItem[] = [
    {
      label: t.readAll,
      icon: 'check',
      isDisabled: unread + mentions + notifications === 0,
      onSelect: () => void actions.readAll(serverId).catch(toast.error),
    },
    !mayInvite.allowed && { heading: ruleInWords(mayInvite) },
    {
      label: common.invitePeople,
      icon: 'user-plus',
      isDisabled: !mayInvite.allowed,
      onSelect: () => createInvite(serverId),
    },
    { label: common.copyLink, icon: 'link', onSelect: () => void copyLink() },
    { label: t.settings, icon: 'settings', onSelect: () => navigate({ page: 'serverSettings', serverId }) },
    ...levelItems({
      now: { level: level ?? 'all', mutedUntil },
      levels: ['all', 'mentions', 'nothing'],
      set: (wish) => actions.setLevel(serverId, wish).catch(toast.error),
    }),
    'line',
    !mayLeave.allowed && { heading: ruleInWords(mayLeave) },
    {
      label: t.leave,
      icon: 'log-out',
      isDanger: true,
      isDisabled: !mayLeave.allowed,
      onSelect: () => askToLeave(server),
    },
  ];
  return <MenuList label={t.menu({ name })} items={items} anchor={anchor} onClose={onClose} />;
}
