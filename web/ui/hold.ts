import type { MouseEvent } from 'react';
import type { Anchor } from './Popover.tsx';

/** The fields used from React's events and native ones. */
type PointerPosition = Pick<PointerEvent, 'clientX' | 'clientY'>;
type Pressed = PointerPosition & Pick<PointerEvent, 'pointerType' | 'target'>;
type Preventable = Pick<Event, 'preventDefault'>;

/** Duration of a long press, in ms. */
const HOLD_MS = 450;
/** A finger that moves this far, in px, is scrolling. */
const STILL = 10;

/** The current touch. There is one long press at a time. */
let hold: { timer: ReturnType<typeof setTimeout>; x: number; y: number; isLong: boolean } | undefined;
let wasLong = false;

const release = () => {
  clearTimeout(hold?.timer);
  hold = undefined;
};

interface Holding {
  /** Called when the press becomes a long press, before the finger lifts. */
  onRest?: () => void;
  /**
   * Called when the finger lifts after a long press. A menu that opened earlier would treat the lift as a
   * press outside.
   */
  onHeld: (at: { x: number; y: number }) => void;
  /** Selector of children that ignore a long press, such as links and buttons in a row. */
  except?: string;
}

/** Handlers for an element with a long press. */
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
    // The click that follows would open the link, or select the menu item that is now under the finger.
    if (wasLong) event.preventDefault();
    wasLong = false;
  },
  onContextMenu: (event: Preventable) => {
    // Suppresses the browser's own long-press menu.
    if (hold) event.preventDefault();
  },
  onPointerLeave: release,
  onPointerCancel: release,
});

/**
 * Handlers for an element with a context menu. A right-click, the menu key or a long press opens it; Shift
 * and a right-click open the browser's own menu.
 */
export function menuHandlers(open: (at: Anchor) => void) {
  const held = holdHandlers({ onHeld: open, except: '[popover]' });
  return {
    ...held,
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      const isPointer = event.button === 2;
      if (isPointer && event.shiftKey) return;
      event.preventDefault();
      // The menu is rendered inside the element, so its own events arrive here, too.
      if (hold || (event.target as Element).closest('[popover]')) return;
      open(isPointer ? { x: event.clientX, y: event.clientY } : { current: event.target as HTMLElement });
    },
  };
}
