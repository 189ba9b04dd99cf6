import { type ReactNode, useMemo, useRef } from 'react';
import { useRow } from '../../replica/hooks.ts';
import { indexIn } from '../../replica/line.ts';
import type { Line, TimelineRef } from '../../replica/types.ts';
import { quote, startReply } from '../composer/index.ts';
import { useWantedDate } from '../date/index.tsx';
import { type Doing, DoingContext } from '../message/index.ts';
import { useArrows } from './arrows.ts';
import { type Aim, covers } from './goal.ts';
import { Loading } from './Loading.tsx';
import { Present } from './Present.tsx';
import { TimelineRows } from './TimelineRows.tsx';
import { useEditedInSight, useSentInSight, useTravel } from './travel.ts';
import { useWindow } from './useWindow.ts';
import './Timeline.css';

const doing: Doing = { reply: startReply, quote };

interface TimelineProps {
  place: TimelineRef;
  /** The accessible name of the list. */
  label: string;
  line: Line;
  /** The marker after which messages are new; undefined if there are none. */
  since: string | undefined;
  /** The timeline's scroll target, within the line. Passing a new object scrolls there again. */
  aim: Aim;
  /**
   * The marker's `unreadAt`. Once the user marks something as unread after this time, nothing more is marked as read.
   */
  seenAt: number;
  /** Content above the very first message. */
  beginning: ReactNode;
  /** Content below the last message, such as pending messages. */
  ending?: ReactNode;
}

/**
 * A virtualized list. Its window of about 200 messages (fewer at the end) moves in both directions on
 * scroll. The messages that the user is reading keep their position when other rows change.
 */
export function Timeline({ place: given, label, line, since, aim, seenAt, ...around }: TimelineProps) {
  const placeId = typeof given === 'string' ? given : given.threadId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies the place
  const place = useMemo(() => given, [placeId]);
  const { ids, atStart, atEnd } = line;
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { first, shown, isFollowing, scroll, goal } = useWindow({
    ...{ place, placeId, line, aim, seenAt, scroller, content },
  });
  const { toPresent, toDate } = useTravel(place, goal);
  useWantedDate(placeId, toDate);
  useSentInSight(place, () => isFollowing && scroll.isAtEnd(), toPresent);
  useEditedInSight(ids, shown, goal);
  const arrows = useArrows(content, scroller);
  const began = useBeginning(place);

  return (
    <DoingContext.Provider value={doing}>
      <div className="timeline">
        <div className="timeline-scroller" ref={scroller} tabIndex={-1}>
          {/* biome-ignore lint/a11y/useSemanticElements: a group of articles with its own keyboard navigation */}
          <div className="timeline-content" ref={content} role="group" aria-label={label} {...arrows}>
            {atStart && first === 0 ? around.beginning : <Loading rows={4} isSilent />}
            <TimelineRows
              shown={shown}
              before={ids[indexIn(ids, shown[0] ?? '') - 1]}
              since={since !== undefined && covers(line, since) ? since : undefined}
              place={place}
              marked={goal.marked}
              began={began}
              onDate={toDate}
            />
            {atEnd && isFollowing ? around.ending : <Loading rows={4} isSilent />}
          </div>
        </div>
        <Present place={place} scroller={scroller} isAtEnd={atEnd && isFollowing} onPresent={toPresent} />
      </div>
    </DoingContext.Provider>
  );
}

/** The earliest possible time of the first message, in ms. This is the earliest date to jump to. */
function useBeginning(place: TimelineRef): number {
  const thread = useRow('thread', typeof place === 'string' ? undefined : place.threadId);
  const channel = useRow('channel', typeof place === 'string' ? place : thread?.channelId);
  return (typeof place === 'string' ? channel : thread)?.createdAt ?? 0;
}
