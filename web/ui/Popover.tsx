import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { names } from './names.ts';
import { type Placement, place } from './place.ts';
import './Popover.css';

/** The anchor of a popover: an element, or a point in the viewport, such as the position of a right-click. */
export type Anchor = RefObject<HTMLElement | null> | { x: number; y: number };

export interface PopoverProps {
  anchor: Anchor;
  /**
   * Called on Escape, on a click outside, and when another popover opens. The parent must then stop
   * rendering the popover.
   */
  onClose: () => void;
  /** The position; `below-start` by default. */
  placement?: Placement;
  /** The accessible name. */
  label: string;
  role?: 'dialog' | 'menu' | 'listbox';
  id?: string;
  className?: string;
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  children: ReactNode;
}

const elementOf = (anchor: Anchor) => ('current' in anchor ? anchor.current : undefined);

/**
 * Positions the popover next to its anchor. If the anchor later moves or is removed, the popover stays in
 * place. If it followed a message's row, which moves when the next message arrives, the pointer could end up
 * over another element. Returns a cleanup function.
 */
function lay(element: HTMLElement, anchor: HTMLElement | { x: number; y: number }, placement: Placement) {
  let beside = anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : anchor;
  const move = () => place(element, beside, placement);
  const resized = () => {
    if (anchor instanceof HTMLElement && anchor.checkVisibility()) beside = anchor.getBoundingClientRect();
    move();
  };
  move();
  // The content may load later.
  const sizes = new ResizeObserver(move);
  sizes.observe(element);
  window.addEventListener('resize', resized);
  return () => {
    sizes.disconnect();
    window.removeEventListener('resize', resized);
  };
}

/**
 * The press that dismisses a popover is often on the button that opened it, and the click would reopen it.
 * Swallows that click. Returns a cleanup function.
 */
function swallowClicks(anchor: HTMLElement): () => void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const press = () => {
    anchor.addEventListener('click', swallow, { capture: true });
    const release = () => setTimeout(() => anchor.removeEventListener('click', swallow, { capture: true }));
    window.addEventListener('pointerup', release, { once: true });
    window.addEventListener('pointercancel', release, { once: true });
  };
  anchor.addEventListener('pointerdown', press);
  return () => anchor.removeEventListener('pointerdown', press);
}

/**
 * A small overlay next to its anchor, above everything else. Open as long as it is rendered: `{isOpen &&
 * <Popover …>}`.
 */
export function Popover({
  anchor,
  onClose,
  placement = 'below-start',
  label,
  role = 'dialog',
  id,
  className,
  onKeyDown,
  children,
}: PopoverProps) {
  const popover = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the popover is positioned once, where it opens
  useLayoutEffect(() => {
    const element = popover.current;
    const target = elementOf(anchor) ?? ('x' in anchor ? anchor : undefined);
    if (!element || !target) return;
    const before = document.activeElement;
    element.showPopover();
    const unlay = lay(element, target, placement);
    const unswallow = target instanceof HTMLElement ? swallowClicks(target) : undefined;
    (element.querySelector<HTMLElement>('[autofocus]') ?? element).focus({ preventScroll: true });
    return () => {
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
      unlay();
      unswallow?.();
      element.hidePopover();
      if (hadFocus && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);

  // This is a layout effect, because Escape may be pressed before the first paint.
  useLayoutEffect(() => {
    const element = popover.current;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current();
    };
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, []);

  return (
    // biome-ignore-start lint/a11y: every role it can have allows a name and key handlers
    <div
      ref={popover}
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={names('popover', className)}
      onKeyDown={(event) => {
        // Letters and arrow keys must not reach the page behind. Shortcuts such as Ctrl K work here, too.
        if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
        onKeyDown?.(event);
      }}
    >
      {children}
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}
