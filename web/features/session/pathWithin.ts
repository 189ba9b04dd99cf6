import { base, pathInSite } from '../../api/base.ts';
/**
 * The requested path if it is on this server, otherwise the home page. Never returns a URL with another
 * origin, in any spelling, nor a page for signed-out users, which would only redirect.
 */
export function pathWithin(wanted: string | null | undefined, origin: string, under = base): string {
  const home = `${under}/`;
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return home;
  const { origin: found, pathname, search, hash } = new URL(wanted, origin);
  const path = pathInSite(pathname, under);
  if (found !== origin || path === undefined) return home;
  if (/^\/(sign-in|sign-up|reset|welcome)(\/|$)/.test(path)) return home;
  return pathname + search + hash;
}
