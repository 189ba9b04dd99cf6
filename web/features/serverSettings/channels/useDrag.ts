import { type PointerEvent, type RefObject, useRef, useState } from 'react';

/** A row that is dragged over others, by mouse, pen or finger. */
export interface Drag {
  /** Around the rows, which are `li`. */
  list: RefObject<HTMLDivElement | null>;
  /** The row that is dragged, and the row whose place it would take. */
  from: number | undefined;
  to: number | undefined;
  /** For `pointerdown` of the grip of a row. */
  start(event: PointerEvent<HTMLElement>, from: number): void;
}

/** Lets rows be dragged by their grips; `onDrop` is called once one is let go elsewhere. Escape leaves it where it was. */
export function useDrag(onDrop: (from: number, to: number) => void): Drag {
  const list = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ from: number; to: number }>();

  function start(event: PointerEvent<HTMLElement>, from: number): void {
    if (event.button !== 0) return;
    const grip: HTMLElement = event.currentTarget;
    grip.setPointerCapture(event.pointerId);
    let to = from;
    const end = new AbortController();
    const { signal } = end;
    const rowAt = (y: number): number => {
      const rows = [...(list.current?.querySelectorAll('li') ?? [])];
      const found = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
      return found < 0 ? rows.length - 1 : found;
    };
    const stop = () => {
      end.abort();
      setState(undefined);
    };
    grip.addEventListener(
      'pointermove',
      ({ clientY }) => {
        to = rowAt(clientY);
        setState({ from, to });
      },
      { signal },
    );
    grip.addEventListener(
      'pointerup',
      () => {
        stop();
        if (to !== from) onDrop(from, to);
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
