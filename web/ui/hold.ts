import type { MouseEvent } from 'react';
import type { Anchor } from './Popover.tsx';

/** Parts of events, of React's and the browser's own. */
type PointerPosition = Pick<PointerEvent, 'clientX' | 'clientY'>;
type Pressed = PointerPosition & Pick<PointerEvent, 'pointerType' | 'target'>;
type Preventable = Pick<Event, 'preventDefault'>;

/** A finger that rests so long asks for a menu. */
const HOLD_MS = 450;
/** A finger that moves so far, in px, scrolls. */
const STILL = 10;

/** The finger that is down; one rests at a time. */
let hold: { timer: ReturnType<typeof setTimeout>; x: number; y: number; isLong: boolean } | undefined;
let wasLong = false;

const release = () => {
  clearTimeout(hold?.timer);
  hold = undefined;
};

interface Holding {
  /** It has rested long enough. */
  onRest?: () => void;
  /** It was lifted after that: a menu that opens before would take the lifting for a press beside it. */
  onHeld: (at: { x: number; y: number }) => void;
  /** Parts on which it rests without a meaning, as a selector: links and buttons of a row. */
  except?: string;
}

/** Handlers for an element on which a finger may rest. */
export const holdHandlers = ({ onRest, onHeld, except }: Holding) => ({
  onPointerDown: ({ pointerType, clientX: x, clientY: y, target }: Pressed) => {
    release();
    if (pointerType !== 'touch' || (except && (target as Element).closest(except))) return;
    const rest = () => {
      if (hold) hold.isLong = true;
      onRest?.();
    };
    hold = { x, y, isLong: false, timer: setTimeout(rest, HOLD_MS) };
  },
  onPointerMove: ({ clientX, clientY }: PointerPosition) => {
    if (hold && Math.hypot(clientX - hold.x, clientY - hold.y) > STILL) release();
  },
  onPointerUp: () => {
    const { x, y, isLong = false } = hold ?? {};
    release();
    wasLong = isLong;
    if (isLong) setTimeout(onHeld, 0, { x, y });
  },
  onTouchEnd: (event: Preventable) => {
    // The click of this finger would follow the link, or choose what the menu has there by now.
    if (wasLong) event.preventDefault();
    wasLong = false;
  },
  onContextMenu: (event: Preventable) => {
    // The browser's own menu of a finger that rests.
    if (hold) event.preventDefault();
  },
  onPointerLeave: release,
  onPointerCancel: release,
});

/**
 * Handlers for an element with a menu of its own: a right click opens it, the key for menus, and a finger that rests. With Shift, a right
 * click is the browser's.
 */
export function menuHandlers(open: (at: Anchor) => void) {
  const held = holdHandlers({ onHeld: open, except: '[popover]' });
  return {
    ...held,
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      const isPointer = event.button === 2;
      if (isPointer && event.shiftKey) return;
      event.preventDefault();
      // The menu lies in the element, too.
      if (hold || (event.target as Element).closest('[popover]')) return;
      open(isPointer ? { x: event.clientX, y: event.clientY } : { current: event.target as HTMLElement });
    },
  };
}
