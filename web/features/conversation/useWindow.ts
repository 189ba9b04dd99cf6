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

/** The minimum height of the elements around a list, in px: a header and a composer. */
const BESIDE = 120;

interface WindowProps {
  place: TimelineRef;
  placeId: string;
  line: Line;
  aim: Aim;
  seenAt: number;
  scroller: RefObject<HTMLElement | null>;
  content: RefObject<HTMLElement | null>;
}

interface Window {
  /** The index in the line of the first rendered message. */
  first: number;
  /** The ids of the rendered messages. The same array as long as they do not change. */
  shown: readonly string[];
  /** True if the window ends at the end of the line. */
  isFollowing: boolean;
  scroll: Scroll;
  goal: Goal;
}

/** The rendered window of a line. It moves on scroll and as messages arrive. */
export function useWindow({ place, placeId, line, aim, seenAt, scroller, content }: WindowProps): Window {
  const actions = useActions();
  const { ids, atEnd } = line;
  const [span, setSpan] = useState<Span>(() => {
    const distance = distanceOf(aim) ?? innerHeight / 2;
    return opening(ids, { id: goalOf(line, aim), distance }, innerHeight - BESIDE);
  });
  const isFollowing = span.to === null;
  const shown = useSameList(idsIn(ids, span));

  const isAtEnd = useRef<() => boolean>(() => false);
  const mark = useReadMark(place, scroller, { seenAt, isAtEnd });
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

  // A jump to the latest messages or to a date replaces the range of messages.
  useEffect(() => setSpan((now) => confined(ids, now)), [ids]);
  // Renders new messages immediately if the user is waiting for them at the end.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when messages arrive, or when others are shown
  useEffect(() => {
    extend.current();
    if (!goal.isUnderWay()) mark();
  }, [ids, span, mark]);
  useEffect(() => {
    // During a jump, this would scroll the list back to its end in a loop.
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
  // After the first render at the end, renders the usual number of rows for that position.
  if (isFollowing && first > 0 && count < STEP) return { span: latest(ids) };
  const isNearStart = box.scrollTop < box.clientHeight * 2;
  const older = isNearStart && first < STEP * 2 && !atStart;
  if (isNearStart && first > 0) return { span: upwards(ids, span), older };
  const isNearEnd = below < box.clientHeight * 2;
  const newer = isNearEnd && ids.length - first - count < STEP * 2 && !atEnd;
  return { span: isNearEnd && !isFollowing ? downwards(ids, span) : span, older, newer };
}

/** Returns the same array as long as its items do not change. */
function useSameList(list: readonly string[]): readonly string[] {
  const known = useRef(list);
  const isSame = list.length === known.current.length && list.every((id, at) => id === known.current[at]);
  if (!isSame) known.current = list;
  return known.current;
}
