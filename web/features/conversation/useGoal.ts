import { type Dispatch, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Line } from '../../replica/types.ts';
import { type Aim, goalOf, reaches } from './goal.ts';
import type { Scroll } from './scroll.ts';
import { around, latest, type Span } from './span.ts';

/**
 * The distance from the top, in px, of the first new message when a channel or thread opens at it. It leaves
 * some read messages in view.
 */
const NEW_LINE = 120;
/** Like `NEW_LINE`, for the first message of a day, which is below its date. */
const DAY_LINE = 44;

/** The distance of the target message from the top, in px. Undefined centres it. */
export const distanceOf = ({ kind, distance }: Aim): number | undefined =>
  kind === 'new' ? NEW_LINE : kind === 'date' ? DAY_LINE : distance;

export interface Goal {
  /** True until the list has reached its scroll target. Nothing else may scroll it in the meantime. */
  readonly isUnderWay: () => boolean;
  /** Scrolls to a target as soon as the line contains its messages. */
  readonly go: (aim: Aim) => void;
  /** Cancels the scroll, for example because its messages cannot be loaded. */
  readonly drop: () => void;
  /** The message in a permalink, and how many times the permalink was followed. */
  readonly marked: { id: string; count: number } | undefined;
}

interface GoalAround {
  line: Line;
  shown: readonly string[];
  setSpan: Dispatch<Span>;
  scroll: Scroll;
  /** Called if the message in the permalink was deleted. */
  onGone: () => void;
}

/** Scrolls the list to a target: once the line contains it, its rows are rendered and then scrolled to. */
export function useGoal(aim: Aim, { line, shown, setSpan, scroll, onGone }: GoalAround): Goal {
  const goal = useRef<Aim>(undefined);
  const followed = useRef<Aim>(undefined);
  const [, setAsked] = useState(0);
  const [marked, setMarked] = useState<{ id: string; count: number }>();
  if (followed.current !== aim) {
    followed.current = aim;
    goal.current = aim;
  }

  useLayoutEffect(() => {
    const to = goal.current;
    if (!to || !reaches(line, to)) return;
    const id = goalOf(line, to);
    if (id === undefined) {
      if (!line.atEnd) return;
      if (shown.at(-1) !== line.ids.at(-1)) return setSpan(latest(line.ids));
      goal.current = undefined;
      return scroll.toEnd();
    }
    if (!shown.includes(id)) return setSpan(around(line.ids, id));
    // The message above a thread is rendered, but belongs to no line.
    const isAbove = to.kind === 'kept' && scroll.toRow(to.id, distanceOf(to));
    if (!isAbove && !scroll.toRow(id, distanceOf(to))) return;
    goal.current = undefined;
    if (to.kind !== 'target') return;
    if (id === to.id) setMarked((now) => ({ id, count: now?.id === id ? now.count + 1 : 1 }));
    else onGone();
  });

  const isUnderWay = useCallback(() => goal.current !== undefined, []);
  const go = useCallback((to: Aim) => {
    goal.current = to;
    setAsked((now) => now + 1);
  }, []);
  const drop = useCallback(() => {
    goal.current = undefined;
  }, []);
  return { isUnderWay, go, drop, marked };
}
