/** The parts of `globalThis` used here. In the service worker and in tests, there is no document. */
interface Here {
  document?: { documentElement: { dataset: { base?: string } } };
  location: { origin: string; host: string };
}
const here = globalThis as unknown as Here;

/**
 * The path that the server is served under, such as `/chat`; empty for the root. The server writes it into the page.
 * Every URL of this server, in links and in requests, starts with it.
 */
export const base: string = here.document?.documentElement.dataset.base ?? '';

/** The server's address, without a trailing slash. */
export const siteAddress = (): string => here.location.origin + base;

/** The server's address without the scheme, for display. */
export const siteName = (): string => here.location.host + base;

/** A URL's path below the base: `/` for the home page. Undefined for pages of other programs on this host. */
export function pathInSite(pathname: string, under: string = base): string | undefined {
  if (pathname === under) return '/';
  return pathname.startsWith(`${under}/`) ? pathname.slice(under.length) : undefined;
}

/** The URL of an image in a record. Images uploaded to this server are stored as paths. */
export const imageUrl = <T extends string | null | undefined>(image: T): T | string =>
  image?.startsWith('/') ? base + image : image;
