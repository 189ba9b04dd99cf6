import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useActions, useChannelUnread } from '../../replica/hooks.ts';
import { navigate, type Panel } from '../../routes.ts';
import { direct, channel as t } from '../../strings/en/frame.ts';
import { listenAhead } from '../../ui/ahead.ts';
import { Button, hasMouse, Icon, IconButton, toast, useMenu } from '../../ui/index.ts';
import { addPeople, DirectMark, hasRoom, useChannelName } from '../direct/index.ts';
import { ChannelMenu } from './ChannelMenu.ts';
import { hasCalls, startCall } from './call.ts';
import { DirectAbout } from './DirectAbout.tsx';
import { iconOf } from './iconOf.ts';
import { useKeptDays } from './useKeptDays.ts';
import './ChannelHeader.css';

const buttons = [
  { panel: 'threads', icon: 'messages-square', className: 'channel-header-wide' },
  { panel: 'pins', icon: 'pin', className: 'channel-header-wide' },
  { panel: 'members', icon: 'users' },
  { panel: 'search', icon: 'search', keys: 'Ctrl F' },
] as const;

/** The open channel's name, description and panel buttons. */
export function ChannelHeader({ channel, panel }: { channel: Records['Channel']; panel: Panel | undefined }) {
  const { id: channelId, serverId, description } = channel;
  const name = useChannelName(channel);
  const isDirect = channel.kind === 'dm';
  const place = { page: 'server', serverId, channelId } as const;
  const keptDays = useKeptDays(channel);
  const menu = useMenu();
  const { favorite = false, hidden = false } = useChannelUnread(channelId) ?? {};
  const { setPlacement } = useActions();
  const set = (change: { favorite?: boolean; hidden?: boolean }) =>
    void setPlacement(serverId, { channelId, ...change }).catch(toast.error);
  const toggle = (next: Panel) => {
    // These panels have a text field. Buffers keystrokes typed while they load.
    if (next !== panel && (next === 'search' || next === 'members') && hasMouse()) listenAhead();
    navigate({ ...place, panel: next === panel ? undefined : next });
  };
  return (
    <header className="channel-header">
      <Link className="channel-header-back" to={{ page: 'server', serverId }} aria-label={t.back}>
        <Icon name="arrow-left" />
      </Link>
      {isDirect ? <DirectMark channel={channel} size={28} /> : <Icon name={iconOf(channel)} />}
      <h1 title={name}>
        <bdi>{name}</bdi>
      </h1>
      {isDirect && <DirectAbout channel={channel} />}
      {description && (
        <p className="ellipsis channel-header-about" title={description}>
          <bdi>{description}</bdi>
        </p>
      )}
      {keptDays !== null && (
        <p className="ellipsis channel-header-about" title={t.keptMore({ count: keptDays })}>
          {t.kept({ count: keptDays })}
        </p>
      )}
      <div className="channel-header-buttons">
        {hidden && (
          <Button size="small" kind="main" onClick={() => set({ hidden: false })}>
            {t.join}
          </Button>
        )}
        <IconButton
          className="channel-header-wide"
          icon="star"
          label={favorite ? t.unfavorite : t.favorite}
          isOn={favorite}
          onClick={() => set({ favorite: !favorite })}
        />
        {hasCalls() && (
          <IconButton
            className="channel-header-wide"
            icon="phone"
            label={t.call}
            onClick={() => startCall(channel)}
          />
        )}
        {hasRoom(channel) && (
          <IconButton
            className="channel-header-wide"
            icon="user-plus"
            label={direct.add}
            onClick={() => addPeople(channel)}
          />
        )}
        {buttons.map(({ panel: each, icon, ...rest }) => (
          <IconButton
            key={each}
            icon={icon}
            label={t.panels[each]}
            isOn={each === panel}
            onClick={() => toggle(each)}
            {...rest}
          />
        ))}
        <IconButton {...menu.trigger} icon="ellipsis" label={t.more} onPointerEnter={ChannelMenu.load} />
        {menu.anchor && <ChannelMenu channel={channel} anchor={menu.anchor} onClose={menu.close} />}
      </div>
    </header>
  );
}
