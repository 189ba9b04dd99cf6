import { useCallback, useEffect, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useActions, useIsLost, useLine, useReading } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { Button, Empty, messageOf } from '../../ui/index.ts';
import { useChannelName } from '../direct/index.ts';
import { useAim } from './aim.ts';
import { Beginning } from './Beginning.tsx';
import type { Aim } from './goal.ts';
import { LiveMessages } from './LiveMessages.tsx';
import { Loading } from './Loading.tsx';
import { PendingMessages } from './PendingMessages.tsx';
import { Timeline } from './Timeline.tsx';
import { useReached } from './useReached.ts';
import { useSince } from './useSince.ts';

interface ConversationProps {
  channel: Records['Channel'];
  /** The message in a permalink. */
  messageId: string | undefined;
}

export function Conversation({ channel, messageId }: ConversationProps) {
  const { id } = channel;
  const name = useChannelName(channel);
  const { openChannel, close, jump, toPresent } = useActions();
  const line = useLine(id);
  const reading = useReading(id);
  const isLost = useIsLost();
  const [error, setError] = useState<Error>();
  const { since, seenAt } = useSince(reading);
  const aim = useAim(id, { targetId: messageId, since, isKnown: reading !== undefined });
  const [tried, setTried] = useState<Aim>();
  const reached = useReached(line, aim, tried);

  const open = useCallback(async () => {
    if (!aim) return;
    setError(undefined);
    try {
      if (aim.kind !== 'end') await jump(id, aim.id);
      else {
        await openChannel(id);
        await toPresent(id);
      }
    } catch (cause) {
      setError(cause as Error);
    }
    setTried(aim);
  }, [id, aim, jump, openChannel, toPresent]);
  useEffect(() => void open(), [open]);
  useEffect(() => () => close(id), [id, close]);

  // Retried automatically once the connection is back.
  if (isLost && !line) return <Empty icon="wifi-off" title={t.notLoaded} text={t.notLoadedMore} />;
  if (error && !line)
    return (
      <Empty icon="circle-alert" title={t.unreadable} text={messageOf(error)}>
        <Button onClick={open}>{common.tryAgain}</Button>
      </Empty>
    );
  if (!line || !reached) return <Loading rows={8} />;
  return (
    <>
      <Timeline
        place={id}
        label={t.label({ channel: name })}
        line={line}
        since={since}
        aim={reached}
        seenAt={seenAt}
        beginning={<Beginning channel={channel} />}
        ending={<PendingMessages place={id} />}
      />
      <LiveMessages placeId={id} label={t.live} />
    </>
  );
}
