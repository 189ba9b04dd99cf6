import { useEffect } from 'react';

/** So many of the latest places of the focus are remembered. */
const MOST = 8;

const pathOf = (element: Element | null): HTMLElement[] => {
  const path: HTMLElement[] = [];
  for (let each = element; each !== null && each !== document.body; each = each.parentElement)
    if (each instanceof HTMLElement) path.push(each);
  return path;
};

const takesFocus = (element: HTMLElement): boolean => {
  if (!element.isConnected) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
};

/** What lies above a page for a while: once it is gone, the focus goes back to where it was before. */
const isAbove = (path: readonly HTMLElement[]): boolean =>
  path.some((each) => each.matches('dialog, [popover]'));

/**
 * Sees to it that the focus is never nowhere. When what had it goes out of the page, such as a message that is deleted or a channel that
 * one no longer sees, what it was in gets it, or else the main part of the page. Components that know a better place have put it there
 * by then. `Layers` has it.
 */
export function FocusLayer() {
  useEffect(() => {
    /** The elements that had the focus, each with what it was in; the latest first. */
    let paths: HTMLElement[][] = [];
    const focused = () => {
      const path = pathOf(document.activeElement);
      if (path.length > 0) paths = [path, ...paths.filter(([first]) => first !== path[0])].slice(0, MOST);
    };
    const look = () => {
      const { activeElement } = document;
      const [latest] = paths;
      if ((activeElement !== null && activeElement !== document.body) || !latest || latest[0]?.isConnected)
        return;
      for (const path of paths) {
        if (path.some(takesFocus)) return;
        if (!isAbove(path)) break;
      }
      // A page that is still loading has none that takes it: once it is there, it does.
      [...document.querySelectorAll<HTMLElement>('main, [role=main]')].some(takesFocus);
    };
    focused();
    document.addEventListener('focusin', focused);
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', focused);
      changes.disconnect();
    };
  }, []);
  return null;
}
