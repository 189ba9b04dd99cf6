import { type PointerEvent, type RefObject, useRef, useState } from 'react';

/** Drag and drop of a list's rows, by mouse, pen or touch. */
export interface Drag {
  /** The element around the rows. Each row is an `li` with its ID in `data-id`. */
  list: RefObject<HTMLDivElement | null>;
  /** The dragged row, and the row whose place it would take. */
  from: string | undefined;
  to: string | undefined;
  /** The `pointerdown` handler of a row's handle. */
  start(event: PointerEvent<HTMLElement>, from: string): void;
}

/**
 * The distance in pixels from the edges of the scroll container at which dragging scrolls it, and the
 * maximum speed in pixels per frame.
 */
const EDGE = 56;
const SPEED = 14;

/**
 * Lets users drag rows by their handles, and calls `onDrop` when a row is dropped at another position. Rows are
 * identified by ID, because rows may be added or removed during the drag. Escape cancels. The scroll container
 * scrolls when a row is dragged to its edge.
 */
export function useDrag(onDrop: (from: string, to: string) => void): Drag {
  const list = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ from: string; to: string }>();
  const drop = useRef(onDrop);
  drop.current = onDrop;

  function start(event: PointerEvent<HTMLElement>, from: string): void {
    if (event.button !== 0) return;
    const handle: HTMLElement = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    let to = from;
    let at = event.clientY;
    let hasMoved = false;
    const end = new AbortController();
    const { signal } = end;
    const over = () => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('li[data-id]') ?? [])];
      const found = rows.find((row) => at < row.getBoundingClientRect().bottom) ?? rows.at(-1);
      to = found?.dataset.id ?? from;
      setState((shown) => (shown?.to === to ? shown : { from, to }));
    };
    const stop = () => {
      end.abort();
      setState(undefined);
    };
    const frame = scrollerOf(handle);
    const scroll = () => {
      // The channel and its handle may be deleted during the drag.
      if (!handle.isConnected) stop();
      if (signal.aborted) return;
      const { top, bottom } = frame.getBoundingClientRect();
      const beyond =
        Math.min(at - Math.max(top, 0) - EDGE, 0) || Math.max(at - Math.min(bottom, innerHeight) + EDGE, 0);
      const before = frame.scrollTop;
      // Scrolls only after a move: merely pressing the button at an edge must not scroll.
      if (hasMoved && beyond !== 0) frame.scrollTop += Math.max(-SPEED, Math.min(SPEED, beyond / 4));
      if (frame.scrollTop !== before) over();
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
    handle.addEventListener(
      'pointermove',
      ({ clientY }) => {
        hasMoved = true;
        at = clientY;
        over();
      },
      { signal },
    );
    handle.addEventListener(
      'pointerup',
      () => {
        stop();
        if (to !== from) drop.current(from, to);
      },
      { signal },
    );
    handle.addEventListener('pointercancel', stop, { signal });
    window.addEventListener(
      'keydown',
      ({ key }) => {
        if (key === 'Escape') stop();
      },
      { signal },
    );
  }

  return { list, from: state?.from, to: state?.to, start };
}

/** The scroll container of an element. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return each;
  return document.documentElement;
}
