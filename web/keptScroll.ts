import { type RefObject, useEffect } from 'react';
import { MOVED } from './routes.ts';

/** Between two notes of the place, in ms: a browser refuses more than a hundred changes of its history in ten seconds. */
const PAUSE_MS = 150;
/** What is still to come of a page comes within this time. */
const LONGEST_MS = 10_000;

const BY_PERSON = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

const keptOf = (name: string): number => Number(history.state?.scrolls?.[name] ?? 0);

const keep = (name: string, top: number): void => {
  const scrolls = { ...history.state?.scrolls, [name]: Math.round(top) };
  history.replaceState({ ...history.state, scrolls }, '');
};

/**
 * Notes in this step of the browser's history how far `box` is scrolled, under a name, and brings it there after a reload and with
 * "back", as soon as what it shows is high enough. Another name, or another step, begins at the top.
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
    // A step that leaves the box as it is: its place is that of the new step, too.
    addEventListener(MOVED, scrolled);
    return () => {
      // The next step is here already: a note would be of that one.
      clearTimeout(timer);
      clearTimeout(end);
      grown.disconnect();
      element.removeEventListener('scroll', scrolled);
      for (const type of BY_PERSON) element.removeEventListener(type, settle);
      removeEventListener(MOVED, scrolled);
    };
  }, [box, name]);
}
