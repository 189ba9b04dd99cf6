import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useActions, usePending, useRow } from '../../replica/hooks.ts';
import { placeOf } from '../../replica/line.ts';
import type { Line, Place } from '../../replica/types.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { toast } from '../../ui/index.ts';
import { quote, startReply } from '../composer/index.ts';
import { useEdited } from '../editing/index.ts';
import { type Doing, DoingContext } from '../message/index.ts';
import { useArrows } from './arrows.ts';
import { useWantedDate } from './dates.ts';
import { type Aim, covers, END, goalOf, idAt } from './goal.ts';
import { Loading } from './Loading.tsx';
import { Present } from './Present.tsx';
import { keepPosition, thisVisit } from './positions.ts';
import { useSteadyScroll } from './scroll.ts';
import { confined, downwards, followed, idsIn, latest, opening, type Span, STEP, upwards } from './span.ts';
import { TimelineRows } from './TimelineRows.tsx';
import { distanceOf, useGoal } from './useGoal.ts';
import { useReadMark } from './useReadMark.ts';
import './Timeline.css';

const doing: Doing = { reply: startReply, quote };

interface TimelineProps {
  place: Place;
  /** The name of the list, for those who hear it. */
  label: string;
  line: Line;
  /** The marker at which what is new begins; undefined if nothing is. */
  since: string | undefined;
  /** Where it opens, which the line reaches; it goes there again with each new object. */
  aim: Aim;
  /** Nothing is marked as read: the person has just marked something as unread. */
  isHeld?: boolean;
  /** Stands above the first message of all. */
  beginning: ReactNode;
  /** Stands below the last: what is on its way out. */
  ending?: ReactNode;
}

/** The least height of what stands above and below a list, in px: a header, and a field to write in. */
const BESIDE = 120;

/**
 * A window of some 200 messages on a line, fewer at its end, which moves with the person, both ways. What they read stays where it is, whatever
 * happens around it.
 */
export function Timeline({
  place: given,
  label,
  line,
  since,
  aim,
  isHeld = false,
  ...around
}: TimelineProps) {
  const placeId = typeof given === 'string' ? given : given.threadId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id stands for the place
  const place = useMemo(() => given, [placeId]);
  const actions = useActions();
  const { ids, atStart, atEnd } = line;
  const [span, setSpan] = useState<Span>(() => {
    const distance = distanceOf(aim) ?? innerHeight / 2;
    return opening(ids, { id: goalOf(line, aim), distance }, innerHeight - BESIDE);
  });
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = span.to === null;
  const shown = useSameList(idsIn(ids, span));

  const isAtEnd = useRef<() => boolean>(() => false);
  const mark = useReadMark(place, scroller, { isHeld, isAtEnd });
  const extend = useRef(() => {});
  const leave = useRef(() => {});
  const onScroll = useCallback(() => {
    extend.current();
    leave.current();
    mark();
  }, [mark]);
  const scroll = useSteadyScroll(scroller, content, { hasEnd: atEnd && isFollowing, onScroll });
  const onGone = useCallback(() => void toast.show(t.gone), []);
  const goal = useGoal(aim, { line, shown, setSpan, scroll, onGone });

  isAtEnd.current = () => atEnd && isFollowing && scroll.isAtEnd() && !goal.isUnderWay();
  extend.current = () => {
    const box = scroller.current;
    if (!box || goal.isUnderWay()) return;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    const first = placeOf(ids, span.from);
    const end = first + shown.length;
    // After the first picture of an end, as many as elsewhere there.
    if (isFollowing && first > 0 && shown.length < STEP) return setSpan(latest(ids));
    if (box.scrollTop < box.clientHeight * 2) {
      // Rows are asked for before they are needed.
      if (first < STEP * 2 && !atStart) void actions.older(place).catch(() => {});
      if (first > 0) return setSpan(upwards(ids, span));
    }
    if (below < box.clientHeight * 2) {
      if (ids.length - end < STEP * 2 && !atEnd) void actions.newer(place).catch(() => {});
      if (!isFollowing) setSpan(downwards(ids, span));
    }
  };
  leave.current = () => {
    if (!goal.isUnderWay()) keepPosition(thisVisit(), placeId, scroll.place());
  };

  // Somebody who goes to the present, or to a date, is in another stretch of messages.
  useEffect(() => setSpan((now) => confined(ids, now)), [ids]);
  // What came is shown at once where the person waits for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when messages have come, or others are shown
  useEffect(() => {
    extend.current();
    if (!goal.isUnderWay()) mark();
  }, [ids, span, mark]);
  useEffect(() => {
    // On its way elsewhere, the list would be brought back to its end, for ever.
    if (isFollowing && !goal.isUnderWay()) setSpan((now) => followed(ids, now, scroll.isAtEnd()));
  }, [ids, isFollowing, scroll, goal.isUnderWay]);
  useEffect(() => () => leave.current(), []);

  const failed = useCallback(
    (error: unknown) => {
      goal.drop();
      toast.error(error);
    },
    [goal.drop],
  );
  const toPresent = useCallback(() => {
    goal.go(END);
    actions.toPresent(place).catch(failed);
  }, [actions, place, goal.go, failed]);
  const toDate = useCallback(
    (at: number) => {
      const id = idAt(at);
      goal.go({ kind: 'date', id });
      actions.jump(place, id).catch(failed);
    },
    [actions, place, goal.go, failed],
  );

  useWantedDate(placeId, toDate);

  // One's own message is seen at once: whoever sends one while they read further up goes to the end.
  const sentAt = usePending(place).at(-1)?.at ?? 0;
  const known = useRef(sentAt);
  useEffect(() => {
    if (sentAt > known.current && !(isFollowing && scroll.isAtEnd())) toPresent();
    known.current = sentAt;
  }, [sentAt, isFollowing, scroll, toPresent]);

  // The arrow up edits one's last message, which may be out of the page.
  const edited = useEdited();
  const knownEdited = useRef(edited);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it begins
  useEffect(() => {
    const isHere = edited === undefined || shown.includes(edited) || !ids.includes(edited);
    // A message is edited beside the list, too: above its thread.
    const isByArrow = document.activeElement?.matches('.composer-field');
    if (edited !== knownEdited.current && !isHere && isByArrow) goal.go({ kind: 'kept', id: edited });
    knownEdited.current = edited;
  }, [edited]);

  const arrows = useArrows(content, scroller);
  const began = useBeginning(place);

  return (
    <DoingContext.Provider value={doing}>
      <div className="timeline">
        <div className="timeline-scroller" ref={scroller} tabIndex={-1}>
          {/* biome-ignore lint/a11y/useSemanticElements: a group of articles, with keys of its own */}
          <div className="timeline-content" ref={content} role="group" aria-label={label} {...arrows}>
            {atStart && placeOf(ids, span.from) === 0 ? around.beginning : <Loading rows={4} isSilent />}
            <TimelineRows
              shown={shown}
              before={ids[placeOf(ids, shown[0] ?? '') - 1]}
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

/** When the first message can have been made, in ms: the earliest date to which one can go. */
function useBeginning(place: Place): number {
  const thread = useRow('thread', typeof place === 'string' ? undefined : place.threadId);
  const channel = useRow('channel', typeof place === 'string' ? place : thread?.channelId);
  return (typeof place === 'string' ? channel : thread)?.createdAt ?? 0;
}

/** The same array as before as long as the same is in it. */
function useSameList(list: readonly string[]): readonly string[] {
  const known = useRef(list);
  const isSame = list.length === known.current.length && list.every((id, at) => id === known.current[at]);
  if (!isSame) known.current = list;
  return known.current;
}
