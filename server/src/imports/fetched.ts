import { Readable } from 'node:stream';
import type { AllowedHosts } from '../lib/allowedHosts.ts';
import { getFollowing } from '../webhooks/get.ts';
import { createAgents } from '../webhooks/guard.ts';

/** Timeout for one file, including its redirects, in ms. */
const TIMEOUT_MS = 60_000;

/**
 * A function that fetches a file, or only its beginning if `isPeek` is set. Undefined if the file cannot be
 * fetched.
 */
export type Fetch = (
  url: string,
  headers: Readonly<Record<string, string>> | undefined,
  maxBytes: number,
  isPeek?: boolean,
) => Promise<Readable | undefined>;

/**
 * Returns a function that fetches files from allowed hosts only. Redirects are checked like the original URL,
 * and headers are not forwarded to another host.
 */
export function fetching(allowedHosts: AllowedHosts): Fetch {
  const agents = createAgents(allowedHosts.allowPrivate);
  return async (url, headers, maxBytes, isPeek = false) => {
    if (!URL.canParse(url)) return undefined;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const wanted = { url, accept: '*/*', headers, maxBytes, isPeek, signal };
    const got = await getFollowing(wanted, agents, allowedHosts).catch(() => undefined);
    if (got?.status !== 200 || got.body.length === 0) return undefined;
    return Readable.from([got.body], { objectMode: false });
  };
}
