import { memo, Suspense, useRef, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useRow } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { dateTime, time } from '../../strings/format.ts';
import { Avatar, Badge, Button, Icon, names } from '../../ui/index.ts';
import { Attachments } from '../attachment/index.ts';
import { useIsBlocked } from '../block/index.ts';
import { useEditing } from '../editing/index.ts';
import { MessageBlocks } from '../interaction/index.ts';
import { Markdown } from '../markdown/index.ts';
import { LookAlike, showProfile, useBeside } from '../member/index.ts';
import { useNamed } from '../mention/index.ts';
import { Reactions } from '../reaction/index.ts';
import { EditMessage } from './EditMessage.tsx';
import { Glimpse } from './Glimpse.tsx';
import { LinkedMessages } from './linked/index.tsx';
import { Text } from './Text.tsx';
import { ThreadFoot } from './ThreadFoot.tsx';
import { Tools } from './Tools.tsx';
import { useAttention } from './useAttention.ts';
import './MessageRow.css';

interface MessageRowProps {
  id: string;
  /** True for the first row of a group, which shows the author. */
  hasAuthor: boolean;
  place: TimelineRef;
  /** Increases with each jump to this message; 0 if there was none. */
  mark: number;
}

/** A message in a list. */
export const MessageRow = memo(function MessageRow({ id, ...rest }: MessageRowProps) {
  const message = useRow('message', id);
  const isBlocked = useIsBlocked(message?.creatorId ?? '');
  const [isShown, setShown] = useState(false);
  if (!message) return null;
  if (isBlocked && !isShown) return <Collapsed id={id} mark={rest.mark} onShow={() => setShown(true)} />;
  return message.type === 'system' ? (
    <Notice message={message} {...rest} />
  ) : (
    <Said message={message} {...rest} />
  );
});

/** A message from a blocked user. */
function Collapsed({ id, mark, onShow }: { id: string; mark: number; onShow: () => void }) {
  return (
    <article
      className={names('message message-notice', markOf(mark))}
      data-message={id}
      tabIndex={-1}
      aria-labelledby={`${id}-text`}
    >
      <Icon name="ban" size={18} />
      <div className="small message-body" id={`${id}-text`}>
        {t.blocked}{' '}
        <Button size="small" kind="quiet" onClick={onShow}>
          {t.showBlocked}
        </Button>
      </div>
    </article>
  );
}

type RowProps = Omit<MessageRowProps, 'id'> & { message: Records['ShownMessage'] };

const markOf = (mark: number) => mark > 0 && (mark % 2 === 0 ? 'message-marked-again' : 'message-marked');

function Said({ message, hasAuthor, place, mark }: RowProps) {
  const { id, serverId, creatorId, type, createdAt, attachments } = message;
  const { user: author, member, name } = useBeside(serverId, creatorId, t.gone);
  const isEdited = useEditing(id);
  const row = useRef<HTMLElement>(null);
  const { isActive, isMenuOpen, setMenuOpen, setHeld } = useAttention(row);
  return (
    <article
      ref={row}
      className={names(
        'message',
        hasAuthor && 'message-first',
        isActive && 'message-active',
        isEdited && 'message-edited',
        markOf(mark),
      )}
      data-message={id}
      tabIndex={-1}
      aria-labelledby={`${id}-author ${id}-text ${id}-time`}
    >
      {message.replyToId !== null && <Glimpse message={message} />}
      {hasAuthor ? (
        <Avatar id={creatorId} name={name} src={author?.image} isAgent={type === 'agent'} />
      ) : (
        <Time at={createdAt} id={id} isNear={isActive} className="message-time-beside" />
      )}
      <div className="message-body">
        {hasAuthor ? (
          <header className="message-head">
            <button
              type="button"
              className="ellipsis message-author"
              id={`${id}-author`}
              disabled={!author}
              onClick={({ currentTarget }) => showProfile(creatorId, currentTarget)}
            >
              <bdi>{name}</bdi>
            </button>
            <LookAlike of={member} />
            {type === 'agent' && <Badge kind="accent">{common.agent}</Badge>}
            <Time at={createdAt} id={id} isNear={isActive} />
            {message.pinned && <Icon name="pin" size={14} />}
            {message.pinned && <span className="only-read">{t.pinned}</span>}
          </header>
        ) : (
          <bdi className="message-author-again" id={`${id}-author`}>
            {name}
          </bdi>
        )}
        {isEdited ? <EditMessage message={message} /> : <Text message={message} />}
        {message.stream !== 'open' && <LinkedMessages content={message.content} />}
        {message.blocks ? (
          <Suspense fallback={null}>
            <MessageBlocks message={message} />
          </Suspense>
        ) : (
          attachments && attachments.length > 0 && <Attachments files={attachments} />
        )}
        <Reactions message={message} />
        <ThreadFoot message={message} />
      </div>
      {isActive && !isEdited && (
        <Tools {...{ message, place, row, isMenuOpen }} onMenu={setMenuOpen} onHold={setHeld} />
      )}
    </article>
  );
}

/** When a message was sent. The tooltip with the full date is only added to hovered or focused rows. */
const Time = (props: { at: number; id: string; isNear: boolean; className?: string }) => (
  <time
    className={props.className}
    id={`${props.id}-time`}
    dateTime={new Date(props.at).toISOString()}
    title={props.isNear ? dateTime(props.at) : undefined}
  >
    {time(props.at)}
  </time>
);

/** A system message. */
function Notice({ message, mark }: RowProps) {
  const { id, content, createdAt, serverId } = message;
  const named = useNamed(serverId);
  const [isNear, setNear] = useState(false);
  return (
    <article
      className={names('message message-notice', markOf(mark))}
      data-message={id}
      tabIndex={-1}
      aria-labelledby={`${id}-text ${id}-time`}
      onPointerMove={() => setNear(true)}
    >
      <Icon name="info" size={18} />
      <div className="message-body" id={`${id}-text`}>
        <Markdown content={content} named={named} after={<Time at={createdAt} id={id} isNear={isNear} />} />
      </div>
    </article>
  );
}
