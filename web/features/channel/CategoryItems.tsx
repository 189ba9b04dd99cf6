import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useRows } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { channel as menu } from '../../strings/en/frame.ts';
import { channelSettings, categorySettings as t } from '../../strings/en/serverSettings.ts';
import { type Anchor, MenuList, openDialog, toast } from '../../ui/index.ts';
import { CategoryDialog, DeleteCategory } from './CategoryDialog.tsx';
import { createChannel } from './dialog.tsx';
import { changesFor, moved } from './settings/places.ts';
import { storePlace } from './settings/storePlace.ts';

interface CategoryItemsProps {
  category: Records['Category'];
  anchor: Anchor;
  onClose: () => void;
}

/** A category's menu, for people who may edit the category. */
export default function CategoryItems({ category, anchor, onClose }: CategoryItemsProps) {
  const { id, serverId, name } = category;
  const { load } = useActions();
  const categories = useRows('category', 'serverId', serverId);
  const mayCreate = useMay(serverId, 'channel insert').allowed;
  const at = categories.findIndex((one) => one.id === id);
  async function move(to: number): Promise<void> {
    for (const change of changesFor(moved(categories, at, to)))
      await storePlace(load, serverId, change, true);
  }
  return (
    <MenuList
      label={menu.moreOf({ name })}
      anchor={anchor}
      onClose={onClose}
      items={[
        mayCreate && {
          label: common.createChannel,
          icon: 'plus',
          onSelect: () => createChannel(serverId, id),
        },
        {
          label: t.rename,
          icon: 'pencil',
          onSelect: () =>
            openDialog((close) => <CategoryDialog serverId={serverId} category={category} onClose={close} />),
        },
        {
          label: channelSettings.up,
          icon: 'arrow-up',
          isDisabled: at <= 0,
          onSelect: () => void move(at - 1).catch(toast.error),
        },
        {
          label: channelSettings.down,
          icon: 'arrow-down',
          isDisabled: at === categories.length - 1,
          onSelect: () => void move(at + 1).catch(toast.error),
        },
        'line',
        {
          label: t.delete,
          icon: 'trash',
          isDanger: true,
          onSelect: () => openDialog((close) => <DeleteCategory category={category} onClose={close} />),
        },
      ]}
    />
  );
}
