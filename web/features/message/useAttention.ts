import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type TouchEvent,
  useRef,
  useState,
} from 'react';

/** A finger that rests so long on a message opens its menu. */
const HOLD_MS = 450;
/** A finger that moves so far, in px, scrolls. */
const STILL = 10;

/** Whether the pointer or the focus is on a row, and whether its menu is asked for. Gives the handlers of the row. */
export function useAttention() {
  const [isNear, setNear] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const hold = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number; isLong: boolean }>(
    undefined,
  );
  const wasLong = useRef(false);
  const release = () => {
    clearTimeout(hold.current?.timer);
    hold.current = undefined;
  };
  const rest = () => {
    if (hold.current) hold.current.isLong = true;
    setNear(true);
  };
  /** The menu opens when the finger is lifted: one that opens before would take the lifting for a press beside it. */
  const lift = () => {
    wasLong.current = hold.current?.isLong === true;
    release();
    if (wasLong.current) setTimeout(setMenuOpen, 0, true);
  };
  return {
    isActive: isNear || isFocused || isMenuOpen || isHeld,
    isMenuOpen,
    setMenuOpen,
    /** For a dialog of the row, which has taken the focus from it. */
    setHeld,
    handlers: {
      onPointerLeave: () => {
        setNear(false);
        release();
      },
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setFocused(false);
      },
      onPointerDown: ({ pointerType, clientX: x, clientY: y, target }: PointerEvent) => {
        release();
        if (pointerType !== 'touch' || (target as Element).closest('a, button, textarea, audio, video'))
          return;
        hold.current = { x, y, isLong: false, timer: setTimeout(rest, HOLD_MS) };
      },
      onPointerMove: ({ pointerType, clientX, clientY }: PointerEvent) => {
        // Not by entering: rows that come to lie under a mouse that rests, as messages arrive, are not pointed at.
        if (pointerType === 'mouse') setNear(true);
        const { x, y } = hold.current ?? {};
        if (x === undefined || y === undefined) return;
        if (Math.hypot(clientX - x, clientY - y) > STILL) release();
      },
      onPointerUp: lift,
      onTouchEnd: (event: TouchEvent) => {
        // The click of this finger would choose what the menu has there by now.
        if (wasLong.current) event.preventDefault();
        wasLong.current = false;
      },
      onContextMenu: (event: MouseEvent) => {
        // The browser's own menu of a finger that rests.
        if (hold.current) event.preventDefault();
      },
      onPointerCancel: release,
    },
  };
}
