/**
 * The requested path if it is on this server. Never returns a URL with another origin, however it is
 * written, nor a page for signed-out users, which would only redirect.
 */
export function pathWithin(wanted: string | null | undefined, origin: string): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/';
  const { origin: found, pathname, search, hash } = new URL(wanted, origin);
  if (found !== origin || /^\/(sign-in|sign-up|reset|welcome)(\/|$)/.test(pathname)) return '/';
  return pathname + search + hash;
}
