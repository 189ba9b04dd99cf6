import { useRef } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useRoute } from '../../routes.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { Avatar, Icon } from '../../ui/index.ts';
import { useBeside, useLine } from '../member/index.ts';
import { useAnswered } from './answered.ts';
import { useSeen } from './useSeen.ts';
import './Glimpse.css';

const MOST = 200;

/** A preview of the message that this one replies to. A click jumps to it. */
export function Glimpse({ message }: { message: Records['ShownMessage'] }) {
  const { serverId, channelId } = message;
  const messageId = message.replyToId as string;
  const place = useRef<HTMLElement>(null);
  const isSeen = useSeen(place);
  const route = useRoute();
  const answered = useAnswered(serverId, messageId, isSeen);
  const answeredId = typeof answered === 'string' ? undefined : answered.creatorId;
  const { user: author, name } = useBeside(serverId, answeredId, t.gone);
  const words = useLine(serverId, typeof answered === 'string' ? undefined : answered).slice(0, MOST);

  if (typeof answered === 'string')
    return (
      <p className="small muted message-glimpse" ref={place as never}>
        <Icon name="corner-up-left" size={14} />
        <span className="ellipsis">{answered === 'gone' ? t.answeredGone : t.answeredLoading}</span>
      </p>
    );
  const inThread = answered.threadId;
  const rest =
    route.page === 'server' ? { threadId: route.threadId, panel: route.panel, words: route.words } : {};
  return (
    <Link
      className="small muted message-glimpse"
      ref={place as never}
      to={{
        ...{ page: 'server', serverId, channelId, ...rest },
        ...(inThread === null ? { messageId } : { threadId: inThread, replyId: messageId }),
      }}
    >
      <Icon name="corner-up-left" size={14} />
      <span className="only-read">{t.answers}</span>
      <Avatar
        id={answered.creatorId}
        name={name}
        src={author?.image}
        size={16}
        isAgent={answered.type === 'agent'}
      />
      <bdi className="ellipsis message-glimpse-author">{name}</bdi>
      <bdi className="ellipsis">{words}</bdi>
    </Link>
  );
}
