import type { Records } from '../../api/records.ts';
import type { Session } from '../../replica/index.ts';
import { navigate, panels, pathOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { palette as t } from '../../strings/en/menus.ts';
import { copyText, toast } from '../../ui/index.ts';
import { pickDate } from '../date/index.tsx';
import { ALWAYS } from '../level/index.ts';
import type { Entry } from './rank.ts';

/** The actions of the open channel: panels, mark as read, mute, copy link. */
export function channelEntries({ actions, reading }: Session, channel: Records['Channel']): Entry[] {
  const { id: channelId, serverId, name } = channel;
  const place = { page: 'server', serverId, channelId } as const;
  const about = `#${name}`;
  const action = (id: string, label: string, run: () => void): Entry => ({
    id: `channel-${id}`,
    kind: 'action',
    name: label,
    about,
    run,
  });
  const isMuted = (reading.channel(channelId)?.mutedUntil ?? 0) > Date.now();
  const copyLink = async () => {
    await copyText(location.origin + pathOf(place));
    toast.show(common.copied);
  };
  return [
    ...panels.map((panel) => action(panel, t.panels[panel], () => navigate({ ...place, panel }))),
    action('date', t.channel.toDate, () => pickDate(channel)),
    action('read', t.channel.read, () => void actions.readChannel(channelId).catch(toast.error)),
    action(
      'mute',
      isMuted ? t.channel.unmute : t.channel.mute,
      () =>
        void actions
          .setLevel(serverId, { channelId, mutedUntil: isMuted ? null : ALWAYS })
          .catch(toast.error),
    ),
    action('link', t.channel.copyLink, () => void copyLink()),
  ];
}
