import { call, type Running } from './process.ts';

/**
 * The URL of every page on a running server outside the web client, found by following links from
 * `/docs/start`.
 */
export async function pagesOf(server: Pick<Running, 'url'>): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const open = ['/docs/start'];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (pages.has(path)) continue;
    const { text, headers } = await call(server, 'GET', path, { headers: { accept: 'text/html' } });
    if (!headers.get('content-type')?.startsWith('text/html')) continue;
    pages.set(path, text);
    open.push(
      ...linksOf(text).flatMap((link) =>
        link.startsWith('/') && link !== '/' ? [link.split('#')[0] as string] : [],
      ),
    );
  }
  return pages;
}

export const linksOf = (page: string): string[] =>
  [...page.matchAll(/<a\b[^>]*? href="([^"]+)"/g)].map(([, link]) =>
    (link as string).replaceAll('&amp;', '&'),
  );

/** The URLs that a browser loads for a page. */
export const assetsOf = (page: string): string[] =>
  [
    ...page.matchAll(
      /<(?:script|img|link|iframe|source|video|audio|object|embed)\b[^>]*?\b(?:src|href|data)="([^"]+)"/gi,
    ),
  ].map(([, address]) => address as string);
