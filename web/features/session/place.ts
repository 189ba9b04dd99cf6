import { navigate, pathOf, routeOf } from '../../routes.ts';
import { pathWithin } from './pathWithin.ts';

/** The path to open after signing in: `?to=` in the current URL. */
export const destination = (): string =>
  pathWithin(new URLSearchParams(location.search).get('to'), location.origin);

/**
 * Opens a path on this server: within the client if the client has that page, otherwise (for example for
 * the docs) with a page load.
 */
export function goOn(path: string): void {
  const to = pathWithin(path, location.origin);
  if (routeOf(to).page === 'missing') location.replace(to);
  else navigate(to, { replace: true });
}

/** The path of a page for signed-out users that opens the path `to` after signing in. */
export const withDestination = (page: 'signIn' | 'signUp', to: string): string =>
  to === home() ? pathOf({ page }) : `${pathOf({ page })}?${new URLSearchParams({ to })}`;

export const home = (): string => pathOf({ page: 'home' });
