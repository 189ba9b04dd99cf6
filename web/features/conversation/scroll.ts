import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
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
  const [list] = useState(() => new SteadyList(scroller));
  list.hasEnd = hasEnd;

  // After each change of rows, before it is painted.
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

/** A list that scrolls, and what is in view in it. */
class SteadyList implements Scroll {
  /** The end of the list is the end of all messages. */
  hasEnd = false;
  readonly #scroller: RefObject<HTMLElement | null>;
  #anchors: { id: string; top: number }[] = [];
  #isStuck = true;
  #noted = 0;
  /** The top of the list itself, as it was noted: asked for once the list has gone out of the page. */
  #origin = 0;
  /** The place in px to which the list was held as its rows changed: what follows from there is done with the change. */
  #held = -1;

  constructor(scroller: RefObject<HTMLElement | null>) {
    this.#scroller = scroller;
  }

  /** Notes what is in view. */
  note(): void {
    const box = this.#scroller.current;
    if (!box) return;
    const { scrollTop, scrollHeight, clientHeight } = box;
    this.#isStuck = this.hasEnd && scrollHeight - scrollTop - clientHeight <= NEAR;
    const top = box.getBoundingClientRect().top;
    this.#noted = scrollTop;
    this.#origin = top;
    // The end is what is held.
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

  /** Brings what was noted back to where it was. */
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
      // The person may have scrolled since, without a word of it yet; a list that has become shorter is moved by the browser.
      const isShorter = this.#noted > box.scrollHeight - box.clientHeight;
      const scrolled = isShorter ? 0 : box.scrollTop - this.#noted;
      const moved = row.getBoundingClientRect().top - (top - scrolled);
      if (moved !== 0) box.scrollTop += moved;
      break;
    }
  }

  /** Rows have changed. */
  settle(): void {
    this.#hold();
    this.note();
    this.#held = this.#noted;
  }

  /** The list, or something in it, has another size. */
  resized(box: HTMLElement): void {
    const before = box.scrollTop;
    this.#hold();
    this.note();
    if (box.scrollTop !== before) this.#held = -1;
  }

  /** Whether it was scrolled from where it was held. */
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
