import type { Records } from '../../api/records.ts';
import { useActions, useChannelNews, useSession, useUnread } from '../../replica/hooks.ts';
import { navigate, type Panel, pathOf } from '../../routes.ts';
import { channel as t } from '../../strings/en/channel.ts';
import { copyText, IconButton, Menu, type MenuItem, toast } from '../../ui/index.ts';
import { ALWAYS, isMuted } from './levels.ts';

const HOUR = 3_600_000;
const levels = ['all', 'mentions', 'nothing'] as const;

/** What one does with a channel: mark it as read, be told of less, copy its address. */
export function ChannelMenu({ channel }: { channel: Records['Channel'] }) {
  const { id: channelId, serverId } = channel;
  const actions = useActions();
  const { lines } = useSession();
  const news = useChannelNews(channelId);
  const server = useUnread(serverId);
  const muted = isMuted(
    { level: null, mutedUntil: news?.mutedUntil ?? null },
    { level: null, mutedUntil: null },
    Date.now(),
  );
  const set = (wish: { level?: (typeof levels)[number] | null; mutedUntil?: number | null }) =>
    actions.setLevel(serverId, { channelId, ...wish }).catch(toast.error);
  const mute = (ms: number) => set({ mutedUntil: Math.min(ALWAYS, Date.now() + ms) });
  const copyLink = async () => {
    await copyText(location.origin + pathOf({ page: 'server', serverId, channelId }));
    toast.show(t.copied);
  };
  const sounds: MenuItem[] = muted
    ? [{ label: t.unmute, icon: 'bell', onSelect: () => set({ mutedUntil: null }) }]
    : [
        { label: t.muteFor.hour, icon: 'bell-off', onSelect: () => mute(HOUR) },
        { label: t.muteFor.morning, icon: 'bell-off', onSelect: () => mute(8 * HOUR) },
        { label: t.muteFor.day, icon: 'bell-off', onSelect: () => mute(24 * HOUR) },
        { label: t.muteFor.always, icon: 'bell-off', onSelect: () => mute(ALWAYS) },
      ];
  const open = (panel: Panel) => navigate({ page: 'server', serverId, channelId, panel });
  const latest = (): string | undefined => {
    const line = lines.get(channelId);
    return line?.atEnd ? line.ids.at(-1) : undefined;
  };
  const markRead = () => {
    const messageId = latest();
    if (messageId !== undefined) actions.markRead(channelId, messageId);
  };
  const items = (): MenuItem[] => [
    // On a phone the head of the channel has no room for these.
    { label: t.threads, icon: 'messages-square', onSelect: () => open('threads') },
    { label: t.pins, icon: 'pin', onSelect: () => open('pins') },
    latest() !== undefined && { label: t.markRead, icon: 'check', onSelect: markRead },
    { label: t.copyLink, icon: 'link', onSelect: () => void copyLink() },
    {
      label: t.settings,
      icon: 'settings',
      onSelect: () => navigate({ page: 'serverSettings', serverId, section: 'channels' }),
    },
    { heading: muted ? t.muted : t.mute },
    ...sounds,
    { heading: t.level },
    ...levels.map(
      (level): MenuItem => ({
        label: t.levels[level],
        isOn: level === (news?.level ?? server.level ?? 'all'),
        isOneOf: true,
        onSelect: () => set({ level }),
      }),
    ),
  ];
  return (
    <Menu label={t.more} items={items}>
      {(trigger) => <IconButton {...trigger} icon="ellipsis" label={t.more} />}
    </Menu>
  );
}
