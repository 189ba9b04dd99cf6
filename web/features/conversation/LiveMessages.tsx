import { memo, useEffect, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { isBlocked } from '../block/index.ts';
import { lineIn, nameIn } from '../member/index.ts';
import { useUserId } from '../session/index.ts';

/** The number of announcements that stay in the live region, so screen readers find them. */
const KEPT = 5;
/** If more messages than this arrive at once, they are counted instead of read out. */
const READ = 3;
/** Messages that arrive within this time are announced together. */
const WAIT_MS = 800;
const LONGEST = 300;

interface Said {
  id: string;
  text: string;
}

type Fresh = Pick<
  Records['ShownMessage'],
  'id' | 'serverId' | 'creatorId' | 'content' | 'blocks' | 'attachments'
>;

interface LiveMessagesProps {
  /** The id of the channel or thread. */
  placeId: string;
  label: string;
}

/**
 * Announces new messages by other users to screen readers, each one once, regardless of the scroll position.
 * The message list itself is not a live region: its rows come and go while scrolling, so old messages would
 * be announced.
 */
export const LiveMessages = memo(function LiveMessages({ placeId, label }: LiveMessagesProps) {
  const session = useSession();
  const userId = useUserId();
  const [said, setSaid] = useState<readonly Said[]>([]);
  useEffect(() => {
    let fresh: Fresh[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const textFor = (message: Fresh) => {
      const { serverId, creatorId } = message;
      const author = nameIn(session, serverId, creatorId) ?? common.somebody;
      return t.said({ author, text: lineIn(session, serverId, message).slice(0, LONGEST) });
    };
    const tell = () => {
      timer = undefined;
      const told =
        fresh.length > READ
          ? [{ id: fresh[0]?.id ?? '', text: t.saidMany({ count: fresh.length }) }]
          : fresh.map((message) => ({ id: message.id, text: textFor(message) }));
      fresh = [];
      setSaid((now) => [...now, ...told].slice(-KEPT));
    };
    const end = session.onEvent((event) => {
      if (event.type !== 'message.created') return;
      const { creatorId, channelId, threadId } = event.data;
      if ((threadId ?? channelId) !== placeId || creatorId === userId) return;
      if (isBlocked(session, creatorId)) return;
      fresh.push(event.data);
      timer ??= setTimeout(tell, WAIT_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [session, placeId, userId]);
  return (
    <div className="only-read" role="log" aria-live="polite" aria-label={label}>
      {said.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
});
