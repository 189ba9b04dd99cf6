import { navigate, routeOf } from '../../routes.ts';
import { pathWithin } from './pathWithin.ts';

/** The path to open after sign-in: `?to=` of the current URL. */
export const destination = (): string =>
  pathWithin(new URLSearchParams(location.search).get('to'), location.origin);

/** Redirects to a path of this server: within the client if it has the page, otherwise, as for the docs, by a page load. */
export function goOn(path: string): void {
  const to = pathWithin(path, location.origin);
  if (routeOf(to).page === 'missing') location.replace(to);
  else navigate(to, { replace: true });
}

/** The URL of a signed-out page that returns to `to` afterwards. */
export const withDestination = (path: string, to: string): string =>
  to === '/' ? path : `${path}?${new URLSearchParams({ to })}`;
