import type { ReactNode } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useChannelUnread, useHasDraft, useHasStopped, useUnread } from '../../replica/hooks.ts';
import { ui } from '../../strings/en/common.ts';
import { channel as t } from '../../strings/en/frame.ts';
import { upTo999 } from '../../strings/format.ts';
import { menuHandlers } from '../../ui/hold.ts';
import { Avatar, Icon, IconButton, useMenu } from '../../ui/index.ts';
import { DirectMark, useChannelName, useDirectPresence } from '../direct/index.ts';
import { isMuted } from '../level/index.ts';
import { ChannelMenu } from './ChannelMenu.ts';
import { iconOf } from './iconOf.ts';
import { stopPrefetch, usePrefetch } from './prefetch.ts';
import { reach } from './reach.ts';

interface ChannelRowProps {
  channel: Records['Channel'];
  isCurrent: boolean;
  /** The channel's server, if the list contains channels of several servers. */
  about?: Records['Server'] | undefined;
  /** True in a collapsed category, which shows the channel only if it is open or needs attention. */
  isCollapsed?: boolean;
}

/** A channel or direct message in the list, with its unread state and menu. */
export function ChannelRow(props: ChannelRowProps) {
  const { channel } = props;
  if (channel.kind === 'dm') return <DirectRow {...props} />;
  return <PlaceRow {...props} name={channel.name} mark={<Icon name={iconOf(channel)} size={16} />} />;
}

function DirectRow(props: ChannelRowProps) {
  const { channel } = props;
  const name = useChannelName(channel);
  const presence = useDirectPresence(channel)?.status;
  return (
    <PlaceRow
      {...props}
      name={name}
      presence={presence && ui.presence[presence]}
      mark={<DirectMark channel={channel} size={20} />}
    />
  );
}

interface PlaceRowProps extends ChannelRowProps {
  name: string;
  mark: ReactNode;
  presence?: string | undefined;
}

function PlaceRow({ channel, isCurrent, about, isCollapsed, name, mark, presence }: PlaceRowProps) {
  const { id, serverId } = channel;
  const isDirect = channel.kind === 'dm';
  const news = useChannelUnread(id);
  const server = useUnread(serverId);
  const isBegun = useHasDraft(id);
  const hasStopped = useHasStopped(id);
  const prefetch = usePrefetch();
  const { anchor, open, close, trigger } = useMenu();
  const { unread = 0, mentions = 0 } = news ?? {};
  const hasLeft = news?.hidden ?? false;
  const muted = !hasLeft && isMuted(news, server, Date.now());
  const hasNews = unread > 0 && !muted && !hasLeft;
  const hasDraft = isBegun && !isCurrent;
  // Each direct message counts like a mention.
  const count = isDirect ? (muted ? 0 : unread) : mentions;
  if (isCollapsed && !isCurrent && !hasNews && !count && !hasStopped) return null;
  const facts = [
    !isDirect && mentions > 0 && t.facts.mentions({ count: mentions }),
    isDirect && hasNews && t.facts.unread({ count: unread }),
    presence,
    about?.name,
    !isDirect && channel.private && t.facts.private,
    channel.readonly && t.facts.readonly,
    !isDirect && hasNews && t.facts.unread({ count: unread }),
    hasStopped && t.facts.stopped,
    hasDraft && t.facts.draft,
    muted && t.facts.muted,
    hasLeft && t.facts.left,
  ].filter((fact) => typeof fact === 'string');
  const names = ['channel-row', hasNews && 'channel-row-news', muted && 'channel-row-muted'];
  return (
    <li
      className="channel-item"
      onPointerEnter={ChannelMenu.load}
      onMouseEnter={() => !isCurrent && prefetch(id)}
      onMouseLeave={stopPrefetch}
      {...menuHandlers(open)}
      onFocus={(event) => {
        reach(event, 0);
        if (!isCurrent) prefetch(id);
      }}
      onBlur={(event) => {
        reach(event, -1);
        stopPrefetch();
      }}
    >
      <Link
        to={{ page: 'server', serverId, channelId: id }}
        className={names.filter(Boolean).join(' ')}
        data-item
        draggable={false}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={facts.length > 0 ? t.rowWith({ name, facts }) : name}
      >
        {mark}
        <bdi className="ellipsis channel-row-name">{name}</bdi>{' '}
        {hasStopped && <Icon name="circle-alert" size={14} />}
        {hasDraft && <Icon name="pencil" size={14} />}
        {muted && <Icon name="bell-off" size={14} />}
        {about && <Avatar id={about.id} name={about.name} src={about.icon} size={20} isServer />}
        {count > 0 ? (
          <span className="channel-row-mentions">{upTo999(count)}</span>
        ) : (
          hasNews && <span className="channel-row-unread">{upTo999(unread)}</span>
        )}
      </Link>
      <IconButton
        {...trigger}
        className="channel-more"
        size="small"
        icon="ellipsis"
        label={t.moreOf({ name })}
        tabIndex={-1}
      />
      {anchor && <ChannelMenu channel={channel} anchor={anchor} onClose={close} />}
    </li>
  );
}
