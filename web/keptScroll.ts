import { type RefObject, useEffect } from 'react';
import { MOVED } from './routes.ts';

/** Throttle in ms: browsers allow at most a hundred history updates in ten seconds. */
const PAUSE_MS = 150;
/** How long, in ms, to wait for content that is still loading. */
const LONGEST_MS = 10_000;

const BY_PERSON = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

const keptOf = (name: string): number => Number(history.state?.scrolls?.[name] ?? 0);

const keep = (name: string, top: number): void => {
  const scrolls = { ...history.state?.scrolls, [name]: Math.round(top) };
  history.replaceState({ ...history.state, scrolls }, '');
};

/**
 * Saves the scroll position of `box` under a name in the current history entry. After a reload or "back",
 * restores the position as soon as the content is tall enough. A different name or history entry starts at
 * the top.
 */
export function useKeptScroll(box: RefObject<HTMLElement | null>, name: string): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let wanted: number | undefined = keptOf(name);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = () => {
      clearTimeout(timer);
      timer = undefined;
      keep(name, element.scrollTop);
    };
    const scrolled = () => {
      if (wanted === undefined) timer ??= setTimeout(note, PAUSE_MS);
    };
    const settle = () => {
      wanted = undefined;
      grown.disconnect();
    };
    const goThere = () => {
      if (wanted === undefined) return;
      element.scrollTop = wanted;
      if (Math.abs(element.scrollTop - wanted) <= 1) settle();
    };
    const grown = new MutationObserver(goThere);
    grown.observe(element, { childList: true, subtree: true });
    goThere();
    const end = setTimeout(settle, LONGEST_MS);
    element.addEventListener('scroll', scrolled, { passive: true });
    for (const type of BY_PERSON) element.addEventListener(type, settle, { passive: true });
    // A new history entry that leaves the box unchanged inherits its position.
    addEventListener(MOVED, scrolled);
    return () => {
      // The history has already moved to the next entry, so saving now would write to that entry.
      clearTimeout(timer);
      clearTimeout(end);
      grown.disconnect();
      element.removeEventListener('scroll', scrolled);
      for (const type of BY_PERSON) element.removeEventListener(type, settle);
      removeEventListener(MOVED, scrolled);
    };
  }, [box, name]);
}
