import { useEffect, useRef } from 'react';
import { pathOf, type Route } from '../../routes.ts';

/**
 * The number of frames to wait after a navigation. The page may still be loading, and may focus an element
 * itself.
 */
const FRAMES = 30;

/** Identifies the page of a route. Panels and messages do not change it. */
const pageAt = (route: Route): string =>
  route.page === 'server'
    ? pathOf({ page: 'server', serverId: route.serverId, channelId: route.channelId })
    : pathOf(route);

/** True if the focus is lost because the focused element was removed or hidden. */
const isLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || !activeElement.checkVisibility();
};

/**
 * After the user navigates to another page, focuses its main element if the focus was lost. Keyboard and
 * screen reader users then continue from there.
 */
export function useFocus(route: Route): void {
  const page = pageAt(route);
  const before = useRef(page);
  useEffect(() => {
    if (before.current === page) return;
    before.current = page;
    let left = FRAMES;
    let frame = 0;
    const look = () => {
      const main = document.getElementById('main');
      if (main?.checkVisibility() && isLost()) main.focus({ preventScroll: true });
      if (--left > 0) frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [page]);
}
