import { Suspense, useMemo, useRef } from 'react';
import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useRow, useRows, useServer } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { optional } from '../../ui/missingPart.ts';
import { CommandNotes, hasUsed } from '../interaction/index.ts';
import { Typing } from '../typing/index.ts';
import { Refused } from './Refused.tsx';
import { Writing } from './Writing.tsx';
import './Composer.css';

const ScheduledLine = optional(() => import('../later/line/index.tsx'));

interface ComposerProps {
  channel: Records['Channel'];
  /** A channel, or a thread in it. */
  place: TimelineRef;
}

/**
 * The composer of a channel or thread. Each channel and thread has its own instance, so text
 * typed in one never ends up in another.
 */
export function Composer({ channel, place }: ComposerProps) {
  const placeId = typeof place === 'string' ? place : place.threadId;
  return <PlaceComposer key={placeId} channel={channel} placeId={placeId} />;
}

function PlaceComposer({ channel, placeId }: { channel: Records['Channel']; placeId: string }) {
  const { serverId } = channel;
  const isThread = placeId !== channel.id;
  const place = useMemo(() => (isThread ? { threadId: placeId } : placeId), [isThread, placeId]);
  const thread = useRow('thread', isThread ? placeId : undefined);
  const isLocked = thread?.locked ?? false;
  const { state } = useServer(serverId);
  const may = useMay(serverId, 'message insert', { channel }, isThread ? { lockedThread: { isLocked } } : {});
  const hasScheduled = useRows('scheduledMessage', 'channelId', channel.id).length > 0;
  const hasNotes = useRows('interaction', 'command', placeId).length > 0 || hasUsed(placeId);
  const root = useRef<HTMLDivElement>(null);
  return (
    <div className="composer" ref={root}>
      {hasScheduled && (
        <Suspense fallback={null}>
          <ScheduledLine channelId={channel.id} threadId={isThread ? placeId : null} />
        </Suspense>
      )}
      {hasNotes && (
        <Suspense fallback={null}>
          <CommandNotes serverId={serverId} channelId={channel.id} placeId={placeId} />
        </Suspense>
      )}
      {may.allowed ? (
        <Writing channel={channel} place={place} placeId={placeId} root={root} />
      ) : (
        state && <Refused permission={may} isLocked={isLocked} isReadonly={channel.readonly} />
      )}
      <div className="composer-foot">
        <Typing serverId={serverId} place={place} />
      </div>
    </div>
  );
}
