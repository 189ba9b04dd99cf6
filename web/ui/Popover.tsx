import { type KeyboardEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { names } from './names.ts';
import { type Placement, place } from './place.ts';
import './Popover.css';

/** What a popover lies beside: an element, or a point of the window, such as that of a right click. */
export type Anchor = RefObject<HTMLElement | null> | { x: number; y: number };

export interface PopoverProps {
  anchor: Anchor;
  /** Asked for by Escape, by a click elsewhere, and when another popover opens. The parent takes it away. */
  onClose: () => void;
  /** Where it lies; `below-start` unless told. */
  placement?: Placement;
  /** Its name, for those who hear it. */
  label: string;
  role?: 'dialog' | 'menu' | 'listbox';
  id?: string;
  className?: string;
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  children: ReactNode;
}

const elementOf = (anchor: Anchor) => ('current' in anchor ? anchor.current : undefined);

/**
 * Lays the popover beside its anchor. There it stays while that moves, as the row of a message does when the next one comes, or goes out of
 * the page: the pointer would be on something else. Returns what undoes it.
 */
function lay(element: HTMLElement, anchor: HTMLElement | { x: number; y: number }, placement: Placement) {
  let beside = anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : anchor;
  const move = () => place(element, beside, placement);
  const resized = () => {
    if (anchor instanceof HTMLElement && anchor.checkVisibility()) beside = anchor.getBoundingClientRect();
    move();
  };
  move();
  // What it holds may come late.
  const sizes = new ResizeObserver(move);
  sizes.observe(element);
  window.addEventListener('resize', resized);
  return () => {
    sizes.disconnect();
    window.removeEventListener('resize', resized);
  };
}

/**
 * The press that closes a popover by light dismissal is often on the button that opened it, whose click would open it again: swallows
 * that click. Returns what undoes it.
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

/** A small surface beside what opened it, above everything. It is open while it is rendered: `{isOpen && <Popover …>}`. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: it is open while it is rendered, where it opened
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

  // From its first moment: Escape may come before the first picture.
  useLayoutEffect(() => {
    const element = popover.current;
    const toggled = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') close.current();
    };
    element?.addEventListener('toggle', toggled);
    return () => element?.removeEventListener('toggle', toggled);
  }, []);

  return (
    // biome-ignore-start lint/a11y: each of its roles may have a name and take keys
    <div
      ref={popover}
      id={id}
      popover="auto"
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={names('popover', className)}
      onKeyDown={(event) => {
        // The keys of what lies behind are not meant.
        event.stopPropagation();
        onKeyDown?.(event);
      }}
    >
      {children}
    </div>
    // biome-ignore-end lint/a11y: as above
  );
}
