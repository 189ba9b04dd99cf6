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
  /** The focus stays where it is, such as in a text field that completes. */
  keepsFocus?: boolean;
  id?: string;
  className?: string;
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
  children: ReactNode;
}

const hasAnchors = globalThis.CSS?.supports('position-area', 'bottom span-right') ?? false;
let anchors = 0;

const elementOf = (anchor: Anchor) => ('current' in anchor ? anchor.current : undefined);

/**
 * Lets the browser keep the popover beside its anchor, whatever scrolls. Where the anchor was last, it stays when that is taken away,
 * as the row of a member that moves to another group. Returns what undoes it.
 */
function tie(element: HTMLElement, anchor: HTMLElement, placement: Placement): () => void {
  const name = `--anchor-${anchors++}`;
  const { style } = anchor;
  const before = style.getPropertyValue('anchor-name');
  style.setProperty('anchor-name', before ? `${before}, ${name}` : name);
  element.style.setProperty('position-anchor', name);
  element.dataset.placement = placement;
  let box = anchor.getBoundingClientRect();
  const measure = () => {
    if (anchor.isConnected) box = anchor.getBoundingClientRect();
  };
  const removals = new MutationObserver(() => {
    if (anchor.isConnected) return;
    removals.disconnect();
    delete element.dataset.placement;
    place(element, box, placement);
  });
  removals.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('resize', measure);
  document.addEventListener('scroll', measure, true);
  return () => {
    removals.disconnect();
    window.removeEventListener('resize', measure);
    document.removeEventListener('scroll', measure, true);
    style.setProperty('anchor-name', before);
  };
}

/** Keeps it in its place by measuring, where the browser has no anchors, and beside points. */
function follow(element: HTMLElement, anchor: HTMLElement | { x: number; y: number }, placement: Placement) {
  const move = () => place(element, anchor, placement);
  move();
  const sizes = new ResizeObserver(move);
  sizes.observe(element);
  window.addEventListener('resize', move);
  document.addEventListener('scroll', move, true);
  return () => {
    sizes.disconnect();
    window.removeEventListener('resize', move);
    document.removeEventListener('scroll', move, true);
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
  keepsFocus,
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
    const untie =
      target instanceof HTMLElement && hasAnchors
        ? tie(element, target, placement)
        : follow(element, target, placement);
    const unswallow = target instanceof HTMLElement ? swallowClicks(target) : undefined;
    if (!keepsFocus)
      (element.querySelector<HTMLElement>('[autofocus]') ?? element).focus({ preventScroll: true });
    return () => {
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
      untie();
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
