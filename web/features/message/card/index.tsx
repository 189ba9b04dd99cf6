import type { ReactNode } from 'react';
import { Link } from '../../../Link.tsx';
import type { Rows } from '../../../replica/types.ts';
import type { Route } from '../../../routes.ts';
import { common } from '../../../strings/en/common.ts';
import { message as said } from '../../../strings/en/conversation.ts';
import { panel as t } from '../../../strings/en/panels.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Avatar, Badge } from '../../../ui/index.ts';
import { useIsBlocked } from '../../block/index.ts';
import { LookAlike, useBeside } from '../../member/index.ts';
import './MessageCard.css';

interface MessageCardProps {
  message: Rows['message'];
  /** The message's route, which the whole card links to. */
  to: Route;
  isCurrent?: boolean;
  /** The card's own buttons, above the card's link. */
  tools?: ReactNode;
  /** The content of the message. */
  children: ReactNode;
}

/** A message outside the conversation: author, time, content, and a link to the message. */
export function MessageCard({ message, to, isCurrent, tools, children }: MessageCardProps) {
  const isBlocked = useIsBlocked(message.creatorId);
  const { user: author, member, name } = useBeside(message.serverId, message.creatorId, t.gone);
  return (
    <li className="message-card" aria-current={isCurrent ? 'location' : undefined}>
      <Avatar
        id={message.creatorId}
        name={name}
        src={author?.image}
        size={32}
        isAgent={message.type === 'agent'}
      />
      <div className="message-card-body">
        <p className="message-card-head">
          <Link
            className="ellipsis message-card-link"
            to={to}
            data-item
            aria-label={t.cardLabel({ author: name, at: dateTime(message.createdAt) })}
          >
            <bdi>{name}</bdi>
          </Link>
          <LookAlike of={member} />
          {message.type === 'agent' && <Badge>{common.agent}</Badge>}
          <time dateTime={new Date(message.createdAt).toISOString()} title={dateTime(message.createdAt)}>
            {shortTime(message.createdAt)}
          </time>
          {tools && <span className="message-card-tools">{tools}</span>}
        </p>
        <div className="small message-card-text">{isBlocked ? <p>{said.blocked}</p> : children}</div>
      </div>
    </li>
  );
}
