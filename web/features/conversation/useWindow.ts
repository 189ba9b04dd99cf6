import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useActions } from '../../replica/hooks.ts';
import { indexIn } from '../../replica/line.ts';
import type { Line, TimelineRef } from '../../replica/types.ts';
import { conversation as t } from '../../strings/en/conversation.ts';
import { toast } from '../../ui/index.ts';
import { type Aim, goalOf } from './goal.ts';
import { keepPosition, thisVisit } from './positions.ts';
import { type Scroll, useSteadyScroll } from './scroll.ts';
import { confined, downwards, followed, idsIn, latest, opening, type Span, STEP, upwards } from './span.ts';
import { distanceOf, type Goal, useGoal } from './useGoal.ts';
import { useReadMark } from './useReadMark.ts';

/** The minimum height of what surrounds a list, in px: a header and a composer. */
const BESIDE = 120;

interface WindowProps {
  place: TimelineRef;
  placeId: string;
  line: Line;
  aim: Aim;
  isHeld: boolean;
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLElement | null>;
}

interface Window {
  /** The window's first index in the line. */
  first: number;
  /** The rendered messages: the same array while they are the same. */
  shown: readonly string[];
  /** The window ends at the end of the line. */
  isFollowing: boolean;
  scroll: Scroll;
  goal: Goal;
}

/** The rendered window of a line. It moves on scroll and as messages arrive. */
export function useWindow({ place, placeId, line, aim, isHeld, scroller, content }: WindowProps): Window {
  const actions = useActions();
  const { ids, atEnd } = line;
  const [span, setSpan] = useState<Span>(() => {
    const distance = distanceOf(aim) ?? innerHeight / 2;
    return opening(ids, { id: goalOf(line, aim), distance }, innerHeight - BESIDE);
  });
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
  const goal = useGoal(aim, { line, shown, setSpan, scroll, onGone });

  isAtEnd.current = () => atEnd && isFollowing && scroll.isAtEnd() && !goal.isUnderWay();
  extend.current = () => {
    const box = scroller.current;
    if (!box || goal.isUnderWay()) return;
    const { span: next, older, newer } = extended(box, line, span, shown.length);
    // Prefetches pages before they are needed.
    if (older) void actions.older(place).catch(() => {});
    if (newer) void actions.newer(place).catch(() => {});
    if (next !== span) setSpan(next);
  };
  leave.current = () => {
    if (!goal.isUnderWay()) keepPosition(thisVisit(), placeId, scroll.place());
  };

  // A jump to the present or a date replaces the range of messages.
  useEffect(() => setSpan((now) => confined(ids, now)), [ids]);
  // What came is shown at once where the person waits for it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when messages have come, or others are shown
  useEffect(() => {
    extend.current();
    if (!goal.isUnderWay()) mark();
  }, [ids, span, mark]);
  useEffect(() => {
    // During a jump this would scroll the list back to its end, in a loop.
    if (isFollowing && !goal.isUnderWay()) setSpan((now) => followed(ids, now, scroll.isAtEnd()));
  }, [ids, isFollowing, scroll, goal.isUnderWay]);
  useEffect(() => () => leave.current(), []);

  return { first: indexIn(ids, span.from), shown, isFollowing, scroll, goal };
}

const onGone = (): void => void toast.show(t.gone);

/** The window for the current scroll position, and whether pages beyond the line are needed. */
function extended(box: HTMLElement, { ids, atStart, atEnd }: Line, span: Span, count: number) {
  const below = box.scrollHeight - box.scrollTop - box.clientHeight;
  const first = indexIn(ids, span.from);
  const isFollowing = span.to === null;
  // After the first render at the end, as many rows as usual there.
  if (isFollowing && first > 0 && count < STEP) return { span: latest(ids) };
  const isNearStart = box.scrollTop < box.clientHeight * 2;
  const older = isNearStart && first < STEP * 2 && !atStart;
  if (isNearStart && first > 0) return { span: upwards(ids, span), older };
  const isNearEnd = below < box.clientHeight * 2;
  const newer = isNearEnd && ids.length - first - count < STEP * 2 && !atEnd;
  return { span: isNearEnd && !isFollowing ? downwards(ids, span) : span, older, newer };
}

/** The same array while its items are the same. */
function useSameList(list: readonly string[]): readonly string[] {
  const known = useRef(list);
  const isSame = list.length === known.current.length && list.every((id, at) => id === known.current[at]);
  if (!isSame) known.current = list;
  return known.current;
}
