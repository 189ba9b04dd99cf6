import { navigate, routeOf } from '../../routes.ts';
import { pathWithin } from './pathWithin.ts';

/** The path to come to after signing in: `?to=` of the present address. */
export const destination = (): string =>
  pathWithin(new URLSearchParams(location.search).get('to'), location.origin);

/** Goes to a path of this server, in place of the present page: a page of the client at once, another, such as of the docs, by the browser. */
export function goOn(path: string): void {
  const to = pathWithin(path, location.origin);
  if (routeOf(to).page === 'missing') location.replace(to);
  else navigate(to, { replace: true });
}

/** The address of a page for those without a session, which comes back to `to` afterwards. */
export const withDestination = (path: string, to: string): string =>
  to === '/' ? path : `${path}?${new URLSearchParams({ to })}`;
