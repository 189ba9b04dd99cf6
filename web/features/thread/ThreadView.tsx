import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { PalaverError, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useIsLost, useLine, useRow, useThreadReading } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { thread as t } from '../../strings/en/panels.ts';
import { typedAhead } from '../../ui/ahead.ts';
import { Button, Empty, Icon } from '../../ui/index.ts';
import { Composer } from '../composer/index.ts';
import {
  type Aim,
  LiveMessages,
  Loading,
  PendingMessages,
  Timeline,
  useAim,
  useReached,
  useSince,
} from '../conversation/index.ts';
import { ThreadRoot } from './ThreadRoot.tsx';
import './ThreadView.css';

interface ThreadViewProps {
  threadId: string;
  /** The reply in a permalink. */
  replyId: string | undefined;
  channel: Records['Channel'];
}

/** A thread: its first message, its replies, and a composer. */
export function ThreadView({ threadId, replyId, channel }: ThreadViewProps) {
  const { serverId } = channel;
  const place = useMemo(() => ({ threadId }), [threadId]);
  const { openThread, close, toPresent } = useActions();
  const line = useLine(place);
  const isLost = useIsLost();
  const thread = useRow('thread', threadId);
  const reading = useThreadReading(threadId);
  const [error, setError] = useState<unknown>();
  const { since, seenAt } = useSince(reading);
  const aim = useAim(threadId, { targetId: replyId, since, isKnown: reading !== undefined });
  const [tried, setTried] = useState<Aim>();
  const reached = useReached(line, aim, tried);

  const open = useCallback(async () => {
    setError(undefined);
    // The unread state is only known once the thread is loaded.
    const goal = aim?.kind === 'end' ? undefined : (aim?.id ?? replyId);
    try {
      await openThread(threadId, { serverId, ...(goal !== undefined && { around: goal }) });
      if (aim?.kind === 'end') await toPresent(place);
    } catch (cause) {
      setError(cause);
    }
    setTried(aim);
  }, [threadId, serverId, place, replyId, aim, openThread, toPresent]);
  useEffect(() => void open(), [open]);
  useEffect(() => () => close(place), [place, close]);
  useEffect(() => {
    // If the user may not post, no field receives the buffered keys, so they are discarded.
    if (reached) typedAhead();
  }, [reached]);

  const isGone = error instanceof PalaverError && (error.status === 404 || error.status === 403);
  // True if the thread was loaded earlier. If it is missing now, it was deleted while it was open.
  const wasThere = useRef(false);
  wasThere.current ||= thread !== undefined;
  if (isGone || (thread ? thread.channelId !== channel.id : wasThere.current))
    return <Empty icon="messages-square" title={t.gone} text={t.goneMore} />;
  if (isLost && !line) return <Empty icon="wifi-off" title={t.notLoaded} text={t.notLoadedMore} />;
  if (error !== undefined && !line)
    return (
      <Empty icon="circle-alert" title={t.unreadable} text={t.unreadableMore}>
        <Button onClick={open}>{common.tryAgain}</Button>
      </Empty>
    );
  if (!thread || !line || !reached) return <Loading rows={3} />;
  return (
    <div className="thread-view">
      <Timeline
        place={place}
        label={thread.name === null ? t.label : t.labelOf({ name: thread.name })}
        line={line}
        since={since}
        aim={reached}
        seenAt={seenAt}
        beginning={<ThreadRoot thread={thread} />}
        ending={<PendingMessages place={place} />}
      />
      <LiveMessages placeId={threadId} label={t.live} />
      <Foot thread={thread} channel={channel} />
    </div>
  );
}

/** The composer, or the reason why the user cannot post here. */
function Foot({ thread, channel }: { thread: Records['Thread']; channel: Records['Channel'] }) {
  const place = useMemo(() => ({ threadId: thread.id }), [thread.id]);
  const facts = { lockedThread: { isLocked: thread.locked } };
  const { allowed } = useMay(channel.serverId, 'message insert', { channel }, facts);
  if (thread.locked && !allowed)
    return (
      <p className="small muted thread-view-locked">
        <Icon name="lock" size={16} />
        {t.lockedMore}
      </p>
    );
  return <Composer key={thread.id} channel={channel} place={place} />;
}
