import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { firstBelow, rowsIn } from './boxes.ts';

/** Within this distance from the end, in px, the list is treated as being at its end. */
const NEAR = 24;
/** The number of rows that serve as scroll anchors. If the first one is removed, the next one takes over. */
const ANCHORS = 6;

export interface Scroll {
  /** True while the list is at its end and stays there as messages arrive. */
  readonly isAtEnd: () => boolean;
  readonly toEnd: () => void;
  /**
   * Scrolls a row to the middle, or to a distance from the top in px. Returns false if the row is not
   * rendered.
   */
  readonly toRow: (id: string, distance?: number) => boolean;
  /** The first row in view, with its distance from the top in px. Undefined at the end. */
  readonly place: () => { id: string; distance: number } | undefined;
}

/**
 * Scroll anchoring: keeps the rows that the user is reading in place while content above or below them is
 * added, resized or removed, such as rows, images and edited messages. If the list is at its end, it keeps
 * the end in view. The browser's own anchoring is turned off, because it does nothing at the top, and
 * WebKit has none.
 */
export function useSteadyScroll(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  { hasEnd, onScroll }: { hasEnd: boolean; onScroll: () => void },
): Scroll {
  const [list] = useState(() => new SteadyList(scroller));
  list.hasEnd = hasEnd;

  // Runs after each change of rows, before the paint.
  useLayoutEffect(() => list.settle());

  useEffect(() => {
    const [box, inner] = [scroller.current, content.current];
    if (!box || !inner) return;
    const resized = new ResizeObserver(() => list.resized(box));
    resized.observe(inner);
    resized.observe(box);
    let frame = 0;
    const scrolled = () => {
      if (frame || !list.isMoved(box)) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        list.note();
        onScroll();
      });
    };
    box.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      resized.disconnect();
      box.removeEventListener('scroll', scrolled);
      cancelAnimationFrame(frame);
    };
  }, [scroller, content, list, onScroll]);

  const { isAtEnd, toEnd, toRow, place } = list;
  return { isAtEnd, toEnd, toRow, place };
}

/** A scrolling list and its anchors. */
class SteadyList implements Scroll {
  /** True if the list ends with the latest message. */
  hasEnd = false;
  readonly #scroller: RefObject<HTMLElement | null>;
  #anchors: { id: string; top: number }[] = [];
  #isStuck = true;
  #noted = 0;
  /**
   * The position of the list's top edge at the last measurement. Used once the list is no longer in the DOM.
   */
  #origin = 0;
  /**
   * The scroll position in px that was set when rows changed. Its scroll event does not come from the user.
   */
  #held = -1;

  constructor(scroller: RefObject<HTMLElement | null>) {
    this.#scroller = scroller;
  }

  /** Records the anchors in view. */
  note(): void {
    const box = this.#scroller.current;
    if (!box) return;
    const { scrollTop, scrollHeight, clientHeight } = box;
    const isNear = scrollHeight - scrollTop - clientHeight <= NEAR;
    // Content may grow in the same frame as a scroll event. The list leaves its end only when the user scrolls up.
    this.#isStuck = this.hasEnd && (isNear || (this.#isStuck && scrollTop >= this.#noted));
    const top = box.getBoundingClientRect().top;
    this.#noted = scrollTop;
    this.#origin = top;
    // At the end of the list, the end itself is the anchor.
    if (this.#isStuck) {
      this.#anchors = [];
      return;
    }
    const rows = rowsIn(box);
    const first = firstBelow(rows, top);
    this.#anchors = rows.slice(first, first + ANCHORS).map((row) => ({
      id: row.dataset.message as string,
      top: row.getBoundingClientRect().top,
    }));
  }

  /** Scrolls the anchors back to where they were. */
  #hold(): void {
    const box = this.#scroller.current;
    if (!box) return;
    if (this.#isStuck && this.hasEnd) {
      box.scrollTop = box.scrollHeight;
      return;
    }
    for (const { id, top } of this.#anchors) {
      const row = rowIn(box, id);
      if (!row) continue;
      // The user may have scrolled since, and the scroll event may not have arrived yet. But if the list
      // became shorter, the browser moved the position.
      const isShorter = this.#noted > box.scrollHeight - box.clientHeight;
      const scrolled = isShorter ? 0 : box.scrollTop - this.#noted;
      const moved = row.getBoundingClientRect().top - (top - scrolled);
      if (moved !== 0) box.scrollTop += moved;
      break;
    }
  }

  /** Called when rows have changed. */
  settle(): void {
    this.#hold();
    this.note();
    this.#held = this.#noted;
  }

  /** Called when the list or its content was resized. */
  resized(box: HTMLElement): void {
    const before = box.scrollTop;
    this.#hold();
    this.note();
    if (box.scrollTop !== before) this.#held = -1;
  }

  /** True if the position differs from the one that was set. */
  isMoved({ scrollTop }: HTMLElement): boolean {
    if (scrollTop === this.#held) return false;
    this.#held = -1;
    return true;
  }

  readonly isAtEnd = (): boolean => this.#isStuck;

  readonly toEnd = (): void => {
    this.#isStuck = true;
    this.#hold();
    this.note();
  };

  readonly toRow = (id: string, distance?: number): boolean => {
    const box = this.#scroller.current;
    const row = box && rowIn(box, id);
    if (!box || !row) return false;
    this.#isStuck = false;
    const { top, height } = row.getBoundingClientRect();
    const wanted = distance ?? Math.max(0, (box.clientHeight - height) / 2);
    box.scrollTop += top - box.getBoundingClientRect().top - wanted;
    this.note();
    return true;
  };

  readonly place = (): { id: string; distance: number } | undefined => {
    const [first] = this.#anchors;
    if (this.#isStuck || !first) return undefined;
    return { id: first.id, distance: first.top - this.#origin };
  };
}

const rowIn = (box: HTMLElement, id: string): Element | null =>
  box.querySelector(`[data-message="${CSS.escape(id)}"]`);
