import { channelList as t } from '../../strings/en/menus.ts';
import { type Anchor, MenuList } from '../../ui/index.ts';
import { useUserId } from '../session/index.ts';
import { browseChannels } from './dialog.tsx';
import { useUnreadFirst } from './placement.ts';

interface ListItemsProps {
  serverId: string;
  anchor: Anchor;
  onClose: () => void;
}

/** The menu of the channel list. */
export default function ListItems({ serverId, anchor, onClose }: ListItemsProps) {
  const [isUnreadFirst, setUnreadFirst] = useUnreadFirst(useUserId());
  return (
    <MenuList
      label={t.label}
      items={[
        { label: t.browse, icon: 'search', onSelect: () => browseChannels(serverId) },
        { label: t.unreadFirst, isOn: isUnreadFirst, onSelect: () => setUnreadFirst(!isUnreadFirst) },
      ]}
      anchor={anchor}
      onClose={onClose}
    />
  );
}
