import { type FocusEvent, type PointerEvent, useState } from 'react';
import { holdHandlers } from '../../ui/hold.ts';

/** Whether the pointer or the focus is on a row, and whether its menu is asked for. Gives the handlers of the row. */
export function useAttention() {
  const [isNear, setNear] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHeld, setHeld] = useState(false);
  const held = holdHandlers({
    onRest: () => setNear(true),
    onHeld: () => setMenuOpen(true),
    except: 'a, button, textarea, audio, video',
  });
  return {
    isActive: isNear || isFocused || isMenuOpen || isHeld,
    isMenuOpen,
    setMenuOpen,
    /** For a dialog of the row, which has taken the focus from it. */
    setHeld,
    handlers: {
      ...held,
      onPointerMove: (event: PointerEvent) => {
        // Not by entering: rows that come to lie under a mouse that rests, as messages arrive, are not pointed at.
        if (event.pointerType === 'mouse') setNear(true);
        held.onPointerMove(event);
      },
      onPointerLeave: () => {
        setNear(false);
        held.onPointerLeave();
      },
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setFocused(false);
      },
    },
  };
}
