import { memo } from 'react';
import { api } from '../../api/index.ts';
import { useActions, useLine, usePending, useRow } from '../../replica/hooks.ts';
import { isStopped } from '../../replica/outbox.ts';
import type { Pending, TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { time } from '../../strings/format.ts';
import { Avatar, Button, Icon, messageOf, names, Spinner, toast } from '../../ui/index.ts';
import { putInto, startReply } from '../composer/index.ts';
import { Markdown } from '../markdown/index.ts';
import { useNamed } from '../mention/index.ts';
import { useUserId } from '../session/index.ts';
import { isTogether } from './rows.ts';

/**
 * The user's pending messages, rendered optimistically. Their status appears after a moment, because most
 * are sent by then. A rejected message shows the reason and keeps its text.
 */
export const PendingMessages = memo(function PendingMessages({ place }: { place: TimelineRef }) {
  const pending = usePending(place);
  return pending.length > 0 ? <PendingList place={place} pending={pending} /> : null;
});

function PendingList({ place, pending }: { place: TimelineRef; pending: readonly Pending[] }) {
  const userId = useUserId();
  const last = useRow('message', useLine(place)?.ids.at(-1));
  return pending.map((message, at) => {
    const { replyToId = null, at: createdAt } = message;
    const own = { creatorId: userId, type: 'person' as const, createdAt, replyToId };
    const before = at === 0 ? last : { ...own, createdAt: (pending[at - 1] as Pending).at };
    const isFirst = !before || !isTogether(before, own);
    return <PendingMessage key={message.key} message={message} isFirst={isFirst} userId={userId} />;
  });
}

interface PendingMessageProps {
  message: Pending;
  isFirst: boolean;
  userId: string;
}

function PendingMessage({ message, isFirst, userId }: PendingMessageProps) {
  const me = useRow('user', userId);
  const named = useNamed(message.serverId, { channelId: message.channelId, creatorId: userId });
  const { content, state, at, attachmentIds } = message;
  const hasStopped = isStopped(message);
  return (
    <article
      className={names(
        'message message-pending',
        isFirst && 'message-first',
        hasStopped && 'message-stopped',
      )}
      aria-busy={!hasStopped && state !== 'held'}
    >
      {isFirst ? <Avatar id={userId} name={me?.name ?? ''} src={me?.image} /> : <span />}
      <div className="message-body">
        {isFirst && (
          <header className="message-head">
            <bdi className="ellipsis message-author">{me?.name}</bdi>
            <time>{time(at)}</time>
          </header>
        )}
        <div className="message-text">
          <Markdown content={content} named={named} />
        </div>
        {attachmentIds.length > 0 && (
          <p className="message-pending-state">
            <Icon name="paperclip" size={14} />
            {t.withFiles({ count: attachmentIds.length })}
          </p>
        )}
        <PendingState message={message} />
      </div>
    </article>
  );
}

/** The state of a pending message, and what its author can do about it. */
function PendingState({ message }: { message: Pending }) {
  const { retry, discard } = useActions();
  const { key, serverId, channelId, threadId, replyToId, content, state, error, heldId } = message;
  if (state === 'sending' || state === 'sent' || state === 'waiting')
    return (
      <span className="message-pending-mark">
        <Icon name={state === 'sent' ? 'check' : 'clock'} size={12} />
        {t.states[state]}
      </span>
    );
  /** Moves the text back into the composer for editing. */
  const takeBack = () => {
    discard(key);
    if (replyToId !== undefined) startReply({ id: replyToId, channelId, threadId: threadId ?? null });
    putInto(threadId ?? channelId, content);
  };
  if (heldId !== undefined)
    return (
      <div className="message-pending-state" role="status">
        <Icon name="clock" size={14} />
        {t.states.held}
        <Button
          size="small"
          onClick={() => api(serverId).heldMessageDelete({ id: heldId }).then(takeBack, toast.error)}
        >
          {t.withdraw}
        </Button>
        <Button size="small" kind="quiet" onClick={() => discard(key)}>
          {t.hide}
        </Button>
      </div>
    );
  const hasStopped = isStopped(message);
  const words =
    state === 'refused'
      ? t.refused({ why: messageOf(error) })
      : error?.code === 'RATE_LIMITED'
        ? t.slowed
        : t.states[state];
  return (
    <div className="message-pending-state" role={hasStopped ? 'alert' : 'status'}>
      {hasStopped ? <Icon name="circle-alert" size={14} /> : <Spinner size={14} label="" />}
      {words}
      {hasStopped && (
        <>
          <Button size="small" onClick={() => retry(key)}>
            {common.tryAgain}
          </Button>
          {message.attachmentIds.length === 0 && (
            <Button size="small" kind="quiet" onClick={takeBack}>
              {t.change}
            </Button>
          )}
          <Button size="small" kind="quiet" onClick={() => discard(key)}>
            {t.discard}
          </Button>
        </>
      )}
    </div>
  );
}
