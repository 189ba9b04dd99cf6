import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';

/** The elements that arrow keys stop at: messages, and the dates between them. */
const STOPS = '[data-message], [data-day]';
const INNER =
  ':is(a[href], button, textarea, input, audio, video, [tabindex="0"]):not(:disabled, [data-message], [inert] *)';

const all = (box: Element, selector: string): HTMLElement[] => [
  ...box.querySelectorAll<HTMLElement>(selector),
];

/** Makes one message or date the tab stop. */
function stopAt(content: HTMLElement, stop: HTMLElement): void {
  for (const other of all(content, `:is(${STOPS})[tabindex="0"]`)) other.tabIndex = -1;
  stop.tabIndex = 0;
}

const isVisible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

/**
 * Keyboard navigation. The list is one tab stop: arrows, Home and End move between messages and dates, Enter moves
 * into a message, Tab cycles inside it, and Escape leaves it.
 */
export function useArrows(content: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>) {
  const isTab = useIsTab();
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    const box = content.current;
    if (!box) return;
    const last = () => all(box, '[data-message]').at(-1);
    if (!box.querySelector(`:is(${STOPS})[tabindex="0"]`)) {
      const stop = last();
      if (stop) stop.tabIndex = 0;
    }
    // The focused row was removed, so the focus moves to another row of the list.
    if (hadFocus.current && document.activeElement === document.body)
      (last() ?? scroller.current)?.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const box = content.current;
    const target = event.target as HTMLElement;
    const stop = target.closest<HTMLElement>(STOPS);
    if (!box || !stop || event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (target !== stop) keyedInside(event, stop, target);
    else if (event.key !== 'Tab') keyedAt(event, box, stop);
    else {
      leave(box);
      if (event.shiftKey) scroller.current?.focus({ preventScroll: true });
    }
  };
  const onFocus = (event: FocusEvent) => {
    const box = content.current;
    const target = event.target as HTMLElement;
    const stop = target.closest<HTMLElement>(STOPS);
    hadFocus.current = true;
    if (!box || !stop) return;
    const isFromOutside = !(event.relatedTarget instanceof Node) || !box.contains(event.relatedTarget);
    if (isTab.current && isFromOutside && target !== stop) {
      const wanted = box.querySelector<HTMLElement>(`:is(${STOPS})[tabindex="0"]`) ?? stop;
      return wanted.focus();
    }
    stopAt(box, stop);
  };
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    const isInside = relatedTarget instanceof Node && content.current?.contains(relatedTarget);
    // If there is no related target, the row may be about to be removed.
    if (relatedTarget !== null && !isInside) hadFocus.current = false;
  };
  return { onKeyDown, onFocus, onBlur };
}

/**
 * Whether the last key was Tab, which means that the focus came from the keyboard and not from the pointer.
 */
function useIsTab(): RefObject<boolean> {
  const isTab = useRef(false);
  useEffect(() => {
    const keyed = ({ key }: globalThis.KeyboardEvent) => {
      isTab.current = key === 'Tab';
    };
    const pressed = () => {
      isTab.current = false;
    };
    addEventListener('keydown', keyed, true);
    addEventListener('pointerdown', pressed, true);
    return () => {
      removeEventListener('keydown', keyed, true);
      removeEventListener('pointerdown', pressed, true);
    };
  }, []);
  return isTab;
}

/** Leaves the list with Tab: without tab stops inside, the browser moves on from the edge of the list. */
function leave(box: HTMLElement): void {
  const stops = all(box, `${STOPS}, ${INNER}`).filter((one) => one.tabIndex >= 0);
  for (const one of stops) one.tabIndex = -1;
  // Runs after the browser has moved the focus.
  setTimeout(() => {
    for (const one of stops) one.tabIndex = 0;
  });
}

/** Handles a key on a message or date: moves to another one, or into it. */
function keyedAt(event: KeyboardEvent, box: HTMLElement, stop: HTMLElement): void {
  if (event.key === 'Enter' && stop.matches('[data-message]')) {
    const inner = all(stop, INNER).find(isVisible);
    (stop.querySelector<HTMLElement>('.message-actions button') ?? inner)?.focus();
    event.preventDefault();
    return;
  }
  const stops = all(box, STOPS);
  const at = stops.indexOf(stop);
  const next = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: stops.length - 1 }[event.key];
  const found = next === undefined ? undefined : stops[next];
  if (!found) return;
  stopAt(box, found);
  found.focus({ preventScroll: true });
  found.scrollIntoView({ block: 'nearest' });
  event.preventDefault();
}

/** Handles a key on a link or button inside a message. */
function keyedInside(event: KeyboardEvent, stop: HTMLElement, target: HTMLElement): void {
  if (event.key === 'Escape') {
    stop.focus();
    event.preventDefault();
  } else if (event.key === 'Tab') goRound(event, stop, target);
}

/** Makes Tab cycle inside a message, from its last link or button to its first. */
function goRound(event: KeyboardEvent, stop: HTMLElement, target: HTMLElement): void {
  const inner = all(stop, INNER).filter(isVisible);
  const at = inner.indexOf(target);
  const next = inner[(at + (event.shiftKey ? -1 : 1) + inner.length) % inner.length];
  if (at < 0 || !next) return;
  next.focus();
  event.preventDefault();
}
