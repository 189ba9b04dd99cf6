import { useMemo, useRef } from 'react';
import { siteAddress } from '../../../api/base.ts';
import type { Records } from '../../../api/records.ts';
import { Link } from '../../../Link.tsx';
import { useRow } from '../../../replica/hooks.ts';
import { routeOf } from '../../../routes.ts';
import { message as t } from '../../../strings/en/conversation.ts';
import { linked as words } from '../../../strings/en/menus.ts';
import { dateTime } from '../../../strings/format.ts';
import { Avatar, Icon } from '../../../ui/index.ts';
import { placeName, useChannelName } from '../../direct/index.ts';
import { useBeside, useLine } from '../../member/index.ts';
import { useAnswered } from '../answered.ts';
import { useSeen } from '../useSeen.ts';
import { type LinkedRef, linksIn } from './linksIn.ts';
import './linked.css';

/** Maximum characters of a preview. */
const MOST = 300;

/** The message of this installation that a URL points to; undefined for other URLs. */
function refOf(url: string): LinkedRef | undefined {
  if (!url.startsWith(`${siteAddress()}/`) || !URL.canParse(url)) return undefined;
  const route = routeOf(url);
  const messageId = route.page === 'server' ? (route.replyId ?? route.messageId) : undefined;
  return route.page === 'server' && messageId !== undefined
    ? { serverId: route.serverId, messageId }
    : undefined;
}

/** Previews of the messages that the text links to. */
export default function LinkedMessages({ content }: { content: string }) {
  const all = useMemo(() => linksIn(content, refOf), [content]);
  return all.map((one) => <LinkedMessage key={one.messageId} {...one} />);
}

/** The preview of a linked message, or a note while it loads or if the user cannot see it. */
function LinkedMessage({ serverId, messageId }: LinkedRef) {
  const place = useRef<HTMLParagraphElement>(null);
  const isSeen = useSeen(place);
  const found = useAnswered(serverId, messageId, isSeen);
  if (typeof found !== 'string') return <Preview message={found} />;
  return (
    <p className="small muted linked-message" ref={place}>
      {found === 'gone' ? words.gone : words.loading}
    </p>
  );
}

function Preview({ message }: { message: Records['ShownMessage'] }) {
  const { id, serverId, channelId, threadId, creatorId, createdAt, type } = message;
  const channel = useRow('channel', channelId);
  const text = useLine(serverId, message).slice(0, MOST);
  const { user, name } = useBeside(serverId, creatorId, t.gone);
  const at = threadId === null ? { messageId: id } : { threadId, replyId: id };
  return (
    <Link className="linked-message" to={{ page: 'server', serverId, channelId, ...at }}>
      <span className="small linked-message-head">
        <Avatar id={creatorId} name={name} src={user?.image} size={20} isAgent={type === 'agent'} />
        <bdi className="ellipsis linked-message-author">{name}</bdi>
        {channel && <PlaceOf channel={channel} />}
        <time className="muted" dateTime={new Date(createdAt).toISOString()}>
          {dateTime(createdAt)}
        </time>
      </span>
      <bdi className="linked-message-text">{text}</bdi>
    </Link>
  );
}

function PlaceOf({ channel }: { channel: Records['Channel'] }) {
  const name = useChannelName(channel);
  return (
    <span className="ellipsis muted">
      {channel.kind === 'dm' && <Icon name="message-square" size={14} />}{' '}
      <bdi>{placeName(channel, name)}</bdi>
    </span>
  );
}
