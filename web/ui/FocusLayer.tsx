import { useEffect } from 'react';

/** How many recently focused elements are tracked. */
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

/** True if the element is in an overlay. When an overlay closes, the focus returns to where it was before. */
const isAbove = (path: readonly HTMLElement[]): boolean =>
  path.some((each) => each.matches('dialog, [popover]'));

/**
 * Prevents the loss of focus. When the focused element is removed, such as a deleted message or a hidden
 * channel, the focus moves to its closest focusable ancestor, or else to the page's main element. Components
 * with a better target have already focused it by then. Rendered by `Layers`.
 */
export function FocusLayer() {
  useEffect(() => {
    /** The recently focused elements with their ancestors, latest first. */
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
      // A page that is still loading has no focusable main element: the next mutation tries again.
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
