import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useHasDraft, usePending, useRow, useRows, useThreadReading } from '../../replica/hooks.ts';
import { isStopped } from '../../replica/outbox.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { shortTime } from '../../strings/format.ts';
import { Avatar, Icon } from '../../ui/index.ts';
import { nameFor } from './threadName.ts';
import './ThreadFoot.css';

/** Maximum number of avatars next to the reply count. */
const FACES = 3;

/**
 * A message's thread: the number of replies, their authors, and the time of the last reply. A thread name that repeats
 * the beginning of the message is left out.
 */
export function ThreadFoot({ message }: { message: Records['ShownMessage'] }) {
  const [thread] = useRows('thread', 'messageId', message.id);
  return thread ? <Foot thread={thread} content={message.content} /> : null;
}

function Foot({ thread, content }: { thread: Records['Thread']; content: string }) {
  const { id, serverId, channelId, name, replyCount, lastReplyAt } = thread;
  const unread = useThreadReading(id)?.unread ?? 0;
  const replies = useRows('message', 'threadId', id);
  const hasDraft = useHasDraft(id);
  const isStuck = usePending({ threadId: id }).some(isStopped);
  const authors = [...new Set(replies.map(({ creatorId }) => creatorId))].slice(0, FACES);
  return (
    <Link
      className={unread > 0 ? 'message-thread message-thread-unread' : 'message-thread'}
      to={{ page: 'server', serverId, channelId, threadId: id }}
    >
      {authors.length > 0 ? (
        <span className="message-thread-faces">
          {authors.map((userId) => (
            <Face key={userId} userId={userId} />
          ))}
        </span>
      ) : (
        <Icon name="messages-square" size={16} />
      )}
      <span className="message-thread-count">{t.replies({ count: replyCount })}</span>
      {name !== null && name !== nameFor(content) && <bdi className="message-thread-name">{name}</bdi>}
      {hasDraft && (
        <>
          <Icon name="pencil" size={14} />
          <span className="only-read">{t.draft}</span>
        </>
      )}
      {isStuck && (
        <>
          <Icon name="circle-alert" size={14} />
          <span className="only-read">{t.stuck}</span>
        </>
      )}
      {lastReplyAt !== null && (
        <span className="message-thread-last">{t.lastReply({ when: shortTime(lastReplyAt) })}</span>
      )}
    </Link>
  );
}

function Face({ userId }: { userId: string }) {
  const user = useRow('user', userId);
  const isAgent = user?.type === 'agent';
  return <Avatar id={userId} name={user?.name ?? ''} src={user?.image} size={20} isAgent={isAgent} />;
}
