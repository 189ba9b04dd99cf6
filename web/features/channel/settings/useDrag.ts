import { type PointerEvent, type RefObject, useRef, useState } from 'react';

/** A row that is dragged over others, by mouse, pen or finger. */
export interface Drag {
  /** Around the rows, which are `li` and have the ids of their things in `data-id`. */
  list: RefObject<HTMLDivElement | null>;
  /** The row that is dragged, and the row whose place it would take. */
  from: string | undefined;
  to: string | undefined;
  /** For `pointerdown` of the grip of a row. */
  start(event: PointerEvent<HTMLElement>, from: string): void;
}

/** Pixels at the edges of what scrolls in which a dragged row scrolls it on, and by how many at most in a frame. */
const EDGE = 56;
const SPEED = 14;

/**
 * Lets rows be dragged by their grips; `onDrop` is called once one is let go elsewhere. Rows have ids, since others may come and go
 * meanwhile. Escape leaves it where it was. At the edges the list scrolls on.
 */
export function useDrag(onDrop: (from: string, to: string) => void): Drag {
  const list = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ from: string; to: string }>();
  const drop = useRef(onDrop);
  drop.current = onDrop;

  function start(event: PointerEvent<HTMLElement>, from: string): void {
    if (event.button !== 0) return;
    const grip: HTMLElement = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
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
    const frame = scrollerOf(grip);
    const scroll = () => {
      // The channel may be deleted meanwhile, and its grip with it.
      if (!grip.isConnected) stop();
      if (signal.aborted) return;
      const { top, bottom } = frame.getBoundingClientRect();
      const beyond =
        Math.min(at - Math.max(top, 0) - EDGE, 0) || Math.max(at - Math.min(bottom, innerHeight) + EDGE, 0);
      const before = frame.scrollTop;
      // Only once it has moved: a mere press at an edge scrolls nothing.
      if (hasMoved && beyond !== 0) frame.scrollTop += Math.max(-SPEED, Math.min(SPEED, beyond / 4));
      if (frame.scrollTop !== before) over();
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
    grip.addEventListener(
      'pointermove',
      ({ clientY }) => {
        hasMoved = true;
        at = clientY;
        over();
      },
      { signal },
    );
    grip.addEventListener(
      'pointerup',
      () => {
        stop();
        if (to !== from) drop.current(from, to);
      },
      { signal },
    );
    grip.addEventListener('pointercancel', stop, { signal });
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

/** What scrolls an element. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let each = element.parentElement; each; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY))
      return each;
  return document.documentElement;
}
