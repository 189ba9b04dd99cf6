import type { ReactNode } from 'react';
import { Link } from '../../../Link.tsx';
import type { Rows } from '../../../replica/types.ts';
import type { Route } from '../../../routes.ts';
import { panel as t } from '../../../strings/en/panels.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Avatar } from '../../../ui/index.ts';
import { useBeside } from '../../member/index.ts';
import './MessageCard.css';

interface MessageCardProps {
  message: Rows['message'];
  /** The place of the message: the whole card leads there. */
  to: Route;
  isCurrent?: boolean;
  /** Buttons of its own, above the card. */
  tools?: ReactNode;
  /** What it says. */
  children: ReactNode;
}

/** A message beside the conversation: its author, when it was sent, what it says, and the way there. */
export function MessageCard({ message, to, isCurrent, tools, children }: MessageCardProps) {
  const { user: author, name } = useBeside(message.serverId, message.creatorId, t.gone);
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
            className="message-card-link"
            to={to}
            data-item
            aria-label={t.cardLabel({ author: name, at: dateTime(message.createdAt) })}
          >
            <bdi>{name}</bdi>
          </Link>
          <time dateTime={new Date(message.createdAt).toISOString()} title={dateTime(message.createdAt)}>
            {shortTime(message.createdAt)}
          </time>
          {tools && <span className="message-card-tools">{tools}</span>}
        </p>
        <div className="message-card-text">{children}</div>
      </div>
    </li>
  );
}
