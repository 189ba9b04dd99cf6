import type { Records } from '../../api/records.ts';
import type { Session } from '../../replica/index.ts';
import { navigate, panels, pathOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { direct } from '../../strings/en/frame.ts';
import { palette as t } from '../../strings/en/menus.ts';
import { copyText, type IconName, toast } from '../../ui/index.ts';
import { leaveChannel } from '../channel/leaving/index.ts';
import { pickDate } from '../date/index.tsx';
import { addPeople, channelName, hasRoom, placeName } from '../direct/index.ts';
import { ALWAYS } from '../level/index.ts';
import type { Entry } from './rank.ts';

const panelIcons = {
  pins: 'pin',
  members: 'users',
  search: 'search',
  threads: 'messages-square',
  inbox: 'inbox',
} as const;

/** The actions for the open channel, such as opening a panel, muting it or copying its link. */
export function channelEntries(session: Session, channel: Records['Channel']): Entry[] {
  const { actions, reading } = session;
  const { id: channelId, serverId } = channel;
  const place = { page: 'server', serverId, channelId } as const;
  const about = placeName(channel, channelName(session, channel));
  const action = (id: string, icon: IconName, label: string, run: () => void): Entry => ({
    id: `channel-${id}`,
    kind: 'action',
    icon,
    name: label,
    about,
    run,
  });
  const { favorite = false, hidden = false } = reading.channel(channelId) ?? {};
  const isMuted = (reading.channel(channelId)?.mutedUntil ?? 0) > Date.now();
  const copyLink = async () => {
    await copyText(location.origin + pathOf(place));
    toast.show(common.copied);
  };
  return [
    ...panels.map((panel) =>
      action(panel, panelIcons[panel], t.panels[panel], () => navigate({ ...place, panel })),
    ),
    action('date', 'calendar', t.channel.toDate, () => pickDate(channel)),
    action('read', 'check', t.channel.read, () => void actions.readChannel(channelId).catch(toast.error)),
    action(
      'mute',
      isMuted ? 'bell' : 'bell-off',
      isMuted ? t.channel.unmute : t.channel.mute,
      () =>
        void actions
          .setLevel(serverId, { channelId, mutedUntil: isMuted ? null : ALWAYS })
          .catch(toast.error),
    ),
    action(
      'favorite',
      'star',
      favorite ? t.channel.unfavorite : t.channel.favorite,
      () => void actions.setPlacement(serverId, { channelId, favorite: !favorite }).catch(toast.error),
    ),
    ...(channel.kind === 'dm'
      ? []
      : [
          action(
            'leave',
            hidden ? 'log-in' : 'log-out',
            hidden ? t.channel.join : t.channel.leave,
            () => void leaveChannel(actions, channel, !hidden),
          ),
        ]),
    ...(hasRoom(channel) ? [action('add', 'user-plus', direct.add, () => addPeople(channel))] : []),
    action('link', 'link', t.channel.copyLink, () => void copyLink()),
  ];
}
