import { type RefObject, useCallback, useEffect } from 'react';
import { useActions } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { firstBelow, rowsIn } from './boxes.ts';

const isLooking = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/**
 * Marks messages as read once the user has seen them: while the page has focus, up to the last message whose
 * bottom is in view, unless something was marked as unread after `seenAt`. New messages are read on arrival while
 * `isAtEnd` returns true, which means that the end is in view. Returns a function that marks them now.
 */
export function useReadMark(
  place: TimelineRef,
  scroller: RefObject<HTMLElement | null>,
  { seenAt, isAtEnd }: { seenAt: number; isAtEnd: RefObject<() => boolean> },
): () => void {
  const { attend, markRead } = useActions();
  useEffect(
    () => attend(place, () => isAtEnd.current() && isLooking(), seenAt),
    [place, attend, seenAt, isAtEnd],
  );
  const mark = useCallback(() => {
    const box = scroller.current;
    if (!box || !isLooking()) return;
    const rows = rowsIn(box);
    const last = rows[firstBelow(rows, box.getBoundingClientRect().bottom + 1) - 1];
    if (last) markRead(place, last.dataset.message as string, seenAt);
  }, [place, markRead, scroller, seenAt]);
  useEffect(() => {
    addEventListener('focus', mark);
    document.addEventListener('visibilitychange', mark);
    return () => {
      removeEventListener('focus', mark);
      document.removeEventListener('visibilitychange', mark);
    };
  }, [mark]);
  return mark;
}
