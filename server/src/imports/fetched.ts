import { Readable } from 'node:stream';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import { get } from '../webhooks/get.ts';
import { createAgents } from '../webhooks/guard.ts';

/** Maximum time for one file, in ms. */
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 3;

/** Gets a file, or with `isPeek` only its beginning; undefined if it cannot be fetched. */
export type Fetch = (
  url: string,
  headers: Readonly<Record<string, string>> | undefined,
  maxBytes: number,
  isPeek?: boolean,
) => Promise<Readable | undefined>;

/** Fetches files from public addresses only. Redirects are checked like the first address, and get no headers of another host. */
export function fetching(allowedHosts: AllowedHosts): Fetch {
  const agents = createAgents(allowedHosts.allowPrivate);
  return async (first, headers, maxBytes, isPeek = false) => {
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return undefined;
      const isSameHost = new URL(url).host === new URL(first).host;
      const got = await get(
        {
          ...{ url, accept: '*/*', maxBytes, isPeek, signal: AbortSignal.timeout(TIMEOUT_MS) },
          headers: isSameHost ? headers : undefined,
        },
        agents,
        allowedHosts,
      ).catch(() => undefined);
      if (got?.status === 200 && got.body.length > 0) return Readable.from([got.body], { objectMode: false });
      if (!got?.location || got.status < 300 || got.status >= 400) return undefined;
      url = new URL(got.location, url).href;
    }
    return undefined;
  };
}
