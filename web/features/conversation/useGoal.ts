import { type Dispatch, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { Line } from '../../replica/types.ts';
import { type Aim, goalOf, reaches } from './goal.ts';
import type { Scroll } from './scroll.ts';
import { around, latest, type Span } from './span.ts';

/** The distance in px of the first new message from the top, where a place opens at it: some of what was read stays in view. */
const NEW_LINE = 120;
/** The same for the first message of a day, below its name. */
const DAY_LINE = 44;

/** How far from the top, in px, an aim brings its message; undefined for the middle. */
export const distanceOf = ({ kind, distance }: Aim): number | undefined =>
  kind === 'new' ? NEW_LINE : kind === 'date' ? DAY_LINE : distance;

export interface Goal {
  /** True while the list is on its way: then nothing else moves it. */
  readonly isUnderWay: () => boolean;
  /** Goes there as soon as its messages are in the line. */
  readonly go: (aim: Aim) => void;
  /** Goes nowhere any more, such as when the messages cannot be had. */
  readonly drop: () => void;
  /** The message that was asked for by a permalink, and how often. */
  readonly marked: { id: string; count: number } | undefined;
}

interface GoalAround {
  line: Line;
  shown: readonly string[];
  setSpan: Dispatch<Span>;
  scroll: Scroll;
  /** The message of a permalink is not there any more. */
  onGone: () => void;
}

/** Brings the list to an aim: as soon as the line has it, its rows are put into the page, then it is scrolled to. */
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
    // The message above a thread is in the page, but in no line.
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
