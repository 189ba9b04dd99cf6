import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { navigate, type Panel } from '../../routes.ts';
import { channel as t } from '../../strings/en/frame.ts';
import { listenAhead } from '../../ui/ahead.ts';
import { hasMouse, Icon, IconButton, useMenu } from '../../ui/index.ts';
import { DirectMark, useChannelName } from '../direct/index.ts';
import { ChannelMenu } from './ChannelMenu.ts';
import { iconOf } from './ChannelRow.tsx';
import { DirectAbout } from './DirectAbout.tsx';
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
  const menu = useMenu();
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
      <div className="channel-header-buttons">
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
