import { useEffect, useRef } from 'react';
import { pathOf, type Route } from '../../routes.ts';

/** The frames after a step for which is waited: the page may still have to be loaded, and may take the focus by itself. */
const FRAMES = 30;

/** The page that a place shows: panels and messages are in the same one. */
const pageAt = (route: Route): string =>
  route.page === 'server'
    ? pathOf({ page: 'server', serverId: route.serverId, channelId: route.channelId })
    : pathOf(route);

/** True if the focus is nowhere: what had it has gone, or is no longer in sight. */
const isLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || !activeElement.checkVisibility();
};

/** After a step to another page, the focus goes to its main part if it was lost, so that the keyboard and screen readers go on from there. */
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
