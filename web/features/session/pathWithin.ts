/**
 * The path that somebody wanted to see, if it is one of this server: never an address of another, however it is written, and never
 * a page for those who have no session, which would only lead on.
 */
export function pathWithin(wanted: string | null | undefined, origin: string): string {
  if (!wanted?.startsWith('/') || !URL.canParse(wanted, origin)) return '/';
  const { origin: found, pathname, search, hash } = new URL(wanted, origin);
  if (found !== origin || /^\/(sign-in|sign-up|reset|welcome)(\/|$)/.test(pathname)) return '/';
  return pathname + search + hash;
}
