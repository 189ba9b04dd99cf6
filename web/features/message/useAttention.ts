import { type RefObject, useLayoutEffect, useState } from 'react';
import { holdHandlers } from '../../ui/hold.ts';

/** The reasons for a row to show its tools, as bits. */
const NEAR = 1;
const FOCUSED = 2;
const MENU = 4;
const HELD = 8;

/** Sets or clears a reason for a row. */
type Put = (reason: number, is: boolean) => void;

// One set of listeners serves the whole page: nine listeners for each row took a tenth of the time needed
// to render a list.

const rows = new WeakMap<Element, Put>();
let near: Element | undefined;
let touched: Element | undefined;

/** The row that an event happened in. Undefined for elements that are not messages, such as notices. */
function rowOf({ target }: Event): Element | undefined {
  const row = target instanceof Element ? target.closest('[data-message]') : null;
  return row && rows.has(row) ? row : undefined;
}
const put = (row: Element | undefined, reason: number, is: boolean) => row && rows.get(row)?.(reason, is);
const isIn = (row: Element | undefined, other: EventTarget | null) =>
  other instanceof Node && row?.contains(other) === true;

function point(row: Element | undefined): void {
  if (row === near) return;
  put(near, NEAR, false);
  near = row;
  put(near, NEAR, true);
}

const held = holdHandlers({
  onRest: () => point(touched),
  onHeld: () => put(touched, MENU, true),
  except: 'a, button, textarea, audio, video',
});

const listeners: { [Type in keyof DocumentEventMap]?: (event: DocumentEventMap[Type]) => void } = {
  pointerdown(event) {
    touched = rowOf(event);
    if (touched) held.onPointerDown(event);
  },
  pointermove(event) {
    // Uses move events instead of enter events: when messages arrive, rows that scroll under a resting
    // pointer are not hovered.
    if (event.pointerType === 'mouse') point(rowOf(event));
    if (touched) held.onPointerMove(event);
  },
  pointerout({ relatedTarget }) {
    if (!isIn(near, relatedTarget)) point(undefined);
    if (touched && !isIn(touched, relatedTarget)) held.onPointerLeave();
  },
  pointerup: () => touched && held.onPointerUp(),
  pointercancel: () => touched && held.onPointerCancel(),
  touchend: (event) => touched && held.onTouchEnd(event),
  contextmenu: (event) => touched && held.onContextMenu(event),
  focusin: (event) => put(rowOf(event), FOCUSED, true),
  focusout(event) {
    const row = rowOf(event);
    if (!isIn(row, event.relatedTarget)) put(row, FOCUSED, false);
  },
};

let isListening = false;
function listen(): void {
  if (isListening) return;
  isListening = true;
  for (const [type, listener] of Object.entries(listeners))
    document.addEventListener(type, listener as (event: Event) => void);
}

/** Whether a message row is hovered or focused, and whether its menu was requested. */
export function useAttention(row: RefObject<HTMLElement | null>) {
  const [reasons, setReasons] = useState(0);
  const [own] = useState(() => {
    const change: Put = (reason, is) => setReasons((now) => (is ? now | reason : now & ~reason));
    return {
      change,
      setMenuOpen: (is: boolean) => change(MENU, is),
      /** Set while a dialog opened from the row has taken the focus away from it. */
      setHeld: (is: boolean) => change(HELD, is),
    };
  });
  // This is a layout effect, which runs before the row can get the focus.
  useLayoutEffect(() => {
    listen();
    if (row.current) rows.set(row.current, own.change);
  }, [row, own]);
  return { ...own, isActive: reasons !== 0, isMenuOpen: (reasons & MENU) !== 0 };
}
