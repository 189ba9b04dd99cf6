import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';

/** The arrow keys that move between items. */
export type Direction = 'vertical' | 'horizontal';

const itemsIn = (root: HTMLElement, selector: string): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>(selector)].filter((item) => item.checkVisibility());

/** Makes an item the tab stop and focuses it. */
export function rove(root: HTMLElement, selector: string, item: HTMLElement | undefined): void {
  if (!item) return;
  for (const each of root.querySelectorAll<HTMLElement>(selector)) each.tabIndex = each === item ? 0 : -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest' });
}

/** The item that a key moves the focus to. */
export function itemFor(
  event: KeyboardEvent<HTMLElement>,
  root: HTMLElement,
  selector: string,
  direction: Direction,
  isCircle = false,
): HTMLElement | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  const items = itemsIn(root, selector);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const isRtl = getComputedStyle(root).direction === 'rtl';
  const [next, previous] =
    direction === 'vertical'
      ? ['ArrowDown', 'ArrowUp']
      : isRtl
        ? ['ArrowLeft', 'ArrowRight']
        : ['ArrowRight', 'ArrowLeft'];
  const last = items.length - 1;
  if (event.key === 'Home') return items[0];
  if (event.key === 'End') return items[last];
  if (event.key === next) return items[at === last && isCircle ? 0 : Math.min(at + 1, last)];
  if (event.key === previous) return items[at <= 0 ? (isCircle ? last : 0) : at - 1];
  return undefined;
}

/** Keeps exactly one item as the tab stop, even after the items change. */
export function useRoving(root: RefObject<HTMLElement | null>, selector: string): void {
  useLayoutEffect(() => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const current =
      items.find((item) => item === document.activeElement) ??
      items.find((item) => item.ariaCurrent !== null && item.ariaCurrent !== 'false') ??
      items.find((item) => item.tabIndex === 0) ??
      items[0];
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
  });
}

const WAIT = 700;

/** Finds items by prefix, from letters typed less than 0.7 s apart. */
export function createTypeahead(): (key: string, items: readonly HTMLElement[]) => HTMLElement | undefined {
  let typed = '';
  let at = 0;
  return (key, items) => {
    const now = performance.now();
    typed = now - at > WAIT ? key : typed + key;
    at = now;
    const wanted = typed.toLocaleLowerCase();
    // Typing the same letter again cycles through the items that start with it.
    const isOneLetter = [...wanted].every((letter) => letter === wanted[0]);
    const from = items.indexOf(document.activeElement as HTMLElement) + (isOneLetter ? 1 : 0);
    const turned = [...items.slice(Math.max(from, 0)), ...items.slice(0, Math.max(from, 0))];
    return turned.find((item) =>
      (item.textContent ?? '')
        .trim()
        .toLocaleLowerCase()
        .startsWith(isOneLetter ? (wanted[0] ?? '') : wanted),
    );
  };
}
