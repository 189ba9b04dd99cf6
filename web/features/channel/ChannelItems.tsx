import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useChannelUnread } from '../../replica/hooks.ts';
import { navigate, type Panel, pathOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { channel as channelTexts, direct } from '../../strings/en/frame.ts';
import { channelList as list, newMessage, channelMenu as t } from '../../strings/en/menus.ts';
import { type Anchor, copyText, type MenuItem, MenuList, openDialog, toast } from '../../ui/index.ts';
import { pickDate } from '../date/index.tsx';
import { addPeople, hasRoom, renameGroup, useChannelName } from '../direct/index.ts';
import { levelItems } from '../level/items/index.ts';
import { ruleInWords } from '../settings/index.ts';
import { hasCalls, startCall } from './call.ts';
import { ChannelDialog } from './dialog.tsx';
import { leaveChannel } from './leaving/index.ts';
import { useKeptDays } from './useKeptDays.ts';

interface ChannelItemsProps {
  channel: Records['Channel'];
  anchor: Anchor;
  onClose: () => void;
}

/** The menu of a channel, for example to mark it as read, open a panel or change its notification level. */
export default function ChannelItems({ channel, anchor, onClose }: ChannelItemsProps) {
  const { id: channelId, serverId } = channel;
  const name = useChannelName(channel);
  const isDirect = channel.kind === 'dm';
  const actions = useActions();
  const news = useChannelUnread(channelId);
  const {
    unread = 0,
    mentions = 0,
    level = null,
    mutedUntil = null,
    favorite = false,
    hidden = false,
  } = news ?? {};
  const keptDays = useKeptDays(channel);
  const mayChange = useMay(serverId, 'channel update', { channel });
  const place = { page: 'server', serverId, channelId } as const;
  const open = (panel: Panel) => navigate({ ...place, panel });
  const copyLink = async () => {
    await copyText(location.origin + pathOf(place));
    toast.show(common.copied);
  };
  const items: MenuItem[] = [
    keptDays !== null && { heading: channelTexts.keptMore({ count: keptDays }) },
    {
      label: t.markRead,
      icon: 'check',
      isDisabled: unread === 0 && mentions === 0,
      onSelect: () => void actions.readChannel(channelId).catch(toast.error),
    },
    {
      label: favorite ? t.unfavorite : t.favorite,
      icon: 'star',
      onSelect: () =>
        void actions.setPlacement(serverId, { channelId, favorite: !favorite }).catch(toast.error),
    },
    { label: common.copyLink, icon: 'link', onSelect: () => void copyLink() },
    // The channel header has no room for these buttons on a phone.
    { label: t.threads, icon: 'messages-square', onSelect: () => open('threads') },
    { label: common.pins, icon: 'pin', onSelect: () => open('pins') },
    hasCalls() && { label: channelTexts.call, icon: 'phone', onSelect: () => startCall(channel) },
    { label: t.toDate, icon: 'calendar', onSelect: () => pickDate(channel) },
    isDirect && !hasRoom(channel) && { heading: newMessage.full },
    isDirect && {
      label: direct.add,
      icon: 'user-plus',
      isDisabled: !hasRoom(channel),
      onSelect: () => addPeople(channel),
    },
    // A direct message between two people is named after them, so it cannot be renamed.
    isDirect &&
      (channel.memberIds?.length ?? 0) > 2 && {
        label: t.rename,
        icon: 'pencil',
        onSelect: () => renameGroup(channel),
      },
    !isDirect && {
      label: hidden ? list.join : t.leave,
      icon: hidden ? 'log-in' : 'log-out',
      onSelect: () => void leaveChannel(actions, channel, !hidden),
    },
    !isDirect && !mayChange.allowed && { heading: ruleInWords(mayChange) },
    !isDirect && {
      label: t.settings,
      icon: 'settings',
      isDisabled: !mayChange.allowed,
      onSelect: () =>
        openDialog((close) => (
          <ChannelDialog serverId={serverId} channel={channel} onDone={() => {}} onClose={close} />
        )),
    },
    ...levelItems({
      now: { level, mutedUntil },
      // In a direct message, either everything notifies or nothing does.
      levels: isDirect ? [null, 'all', 'nothing'] : [null, 'all', 'mentions', 'nothing'],
      set: (wish) => actions.setLevel(serverId, { channelId, ...wish }).catch(toast.error),
    }),
  ];
  return <MenuList label={t.label({ name })} items={items} anchor={anchor} onClose={onClose} />;
}
