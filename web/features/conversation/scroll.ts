import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { firstBelow, rowsIn } from './boxes.ts';

/** So near to the end, in px, counts as being there. */
const NEAR = 24;
/** Rows whose place is noted: if the first is taken out, the next one holds the picture. */
const ANCHORS = 6;

export interface Scroll {
  /** True while the end is in view, and is kept there. */
  readonly isAtEnd: () => boolean;
  readonly toEnd: () => void;
  /** Brings a row into the middle, or to a distance in px from the top. False if it is not in the page. */
  readonly toRow: (id: string, distance?: number) => boolean;
  /** The first row in view, with its distance from the top in px; undefined at the end. */
  readonly place: () => { id: string; distance: number } | undefined;
}

/**
 * Holds what the person reads in its place, whatever comes above or below it, changes its size, or goes: rows that are put in,
 * pictures that load, messages that are edited. At the end it keeps the end in view. The browser's own anchoring is off: it
 * does nothing at the top, and WebKit has none.
 */
export function useSteadyScroll(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { hasEnd, onScroll }: { hasEnd: boolean; onScroll: () => void },
): Scroll {
  const anchors = useRef<{ id: string; top: number }[]>([]);
  const isStuck = useRef(true);
  const noted = useRef(0);
  /** The top of the list itself, as it was noted: asked for once the list has gone out of the page. */
  const origin = useRef(0);
  /** The place in px to which the list was held as its rows changed: what follows from there is done with the change. */
  const held = useRef(-1);
  const end = useRef(hasEnd);
  end.current = hasEnd;

  const note = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const { scrollTop, scrollHeight, clientHeight } = box;
    isStuck.current = end.current && scrollHeight - scrollTop - clientHeight <= NEAR;
    const top = box.getBoundingClientRect().top;
    noted.current = scrollTop;
    origin.current = top;
    // The end is what is held.
    if (isStuck.current) {
      anchors.current = [];
      return;
    }
    const rows = rowsIn(box);
    const first = firstBelow(rows, top);
    anchors.current = rows.slice(first, first + ANCHORS).map((row) => ({
      id: row.dataset.message as string,
      top: row.getBoundingClientRect().top,
    }));
  }, [scroller]);

  const hold = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    if (isStuck.current && end.current) {
      box.scrollTop = box.scrollHeight;
      return;
    }
    for (const { id, top } of anchors.current) {
      const row = box.querySelector(`[data-message="${CSS.escape(id)}"]`);
      if (!row) continue;
      // The person may have scrolled since, without a word of it yet; a list that has become shorter is moved by the browser.
      const isShorter = noted.current > box.scrollHeight - box.clientHeight;
      const scrolled = isShorter ? 0 : box.scrollTop - noted.current;
      const moved = row.getBoundingClientRect().top - (top - scrolled);
      if (moved !== 0) box.scrollTop += moved;
      break;
    }
  }, [scroller]);

  // After each change of rows, before it is painted.
  useLayoutEffect(() => {
    hold();
    note();
    held.current = noted.current;
  });

  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const resized = new ResizeObserver(() => {
      const before = box.scrollTop;
      hold();
      note();
      if (box.scrollTop !== before) held.current = -1;
    });
    resized.observe(inner);
    resized.observe(box);
    let frame = 0;
    const scrolled = () => {
      if (frame || box.scrollTop === held.current) return;
      held.current = -1;
      frame = requestAnimationFrame(() => {
        frame = 0;
        note();
        onScroll();
      });
    };
    box.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', scrolled);
      cancelAnimationFrame(frame);
    };
  }, [scroller, content, hold, note, onScroll]);

  const toEnd = useCallback(() => {
    isStuck.current = true;
    hold();
    note();
  }, [hold, note]);
  const toRow = useCallback(
    (id: string, distance?: number) => {
      const box = scroller.current;
      const row = box?.querySelector(`[data-message="${CSS.escape(id)}"]`);
      if (!box || !row) return false;
      isStuck.current = false;
      const { top, height } = row.getBoundingClientRect();
      const wanted = distance ?? Math.max(0, (box.clientHeight - height) / 2);
      box.scrollTop += top - box.getBoundingClientRect().top - wanted;
      note();
      return true;
    },
    [scroller, note],
  );
  const place = useCallback(() => {
    const [first] = anchors.current;
    if (isStuck.current || !first) return undefined;
    return { id: first.id, distance: first.top - origin.current };
  }, []);
  return { isAtEnd: () => isStuck.current, toEnd, toRow, place };
}
