import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import type { Agents } from './guard.ts';
import { NoAnswer } from './reasons.ts';

/** A request to an untrusted external URL. */
export interface Wanted {
  url: string;
  accept: string;
  /** Additional headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum size of the body, in bytes. */
  maxBytes: number;
  /** Whether to stop after the first chunk of the body. */
  isPeek?: boolean;
  /** Whether to truncate a longer body at `maxBytes` instead of failing. */
  isCut?: boolean;
  /** Aborts the request, for example after a timeout. */
  signal: AbortSignal;
}

/** The response to a GET. */
export interface Got {
  status: number;
  contentType: string;
  /** The `Location` header of a redirect. */
  location: string | undefined;
  body: Buffer;
}

/**
 * Gets a URL from a host that `allowedHosts` and `agents` allow. Does not follow redirects. Throws NoAnswer,
 * including for a body that is compressed or longer than `maxBytes`, or the error of the socket.
 */
async function get(
  { url: address, accept, headers: further, maxBytes, isPeek = false, isCut = false, signal }: Wanted,
  agents: Agents,
  allowedHosts: AllowedHosts,
): Promise<Got> {
  const url = new URL(address);
  if (refusalOf(url.hostname, allowedHosts)) throw new NoAnswer('notAllowed');
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { ...further, accept, 'accept-encoding': 'identity', 'user-agent': 'Palaver' };
  const request = send(url, { agent: agents[url.protocol], headers, signal });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end();
  });
  try {
    const { statusCode: status = 0, headers } = response;
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw new NoAnswer('unreadable');
    if (isPeek && Number(headers['content-length'] ?? 0) > maxBytes) throw new NoAnswer('unreadable');
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > maxBytes && !isCut) throw new NoAnswer('unreadable');
      pieces.push(bytes > maxBytes ? piece.subarray(0, maxBytes - bytes) : piece);
      if (isPeek || bytes > maxBytes) break;
    }
    const { 'content-type': contentType = '', location } = headers;
    return { status, contentType, location, body: Buffer.concat(pieces) };
  } finally {
    response.destroy();
  }
}

const MAX_REDIRECTS = 3;

/**
 * Gets a URL and follows up to three redirects; with `isWithinOrigin`, only those to the same origin. Each
 * redirect is checked like the original URL. Headers are sent only to the original host. Returns the last
 * response, with its URL. Throws like `get`, and throws NoAnswer for a URL that is neither http nor https.
 */
export async function getFollowing(
  { isWithinOrigin = false, ...wanted }: Wanted & { isWithinOrigin?: boolean },
  agents: Agents,
  allowedHosts: AllowedHosts,
): Promise<Got & { url: string }> {
  const { host, origin } = new URL(wanted.url);
  let { url } = wanted;
  for (let hops = 0; ; hops++) {
    const { protocol, host: current } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new NoAnswer('notAllowed');
    const headers = current === host ? wanted.headers : undefined;
    const got = await get({ ...wanted, url, headers }, agents, allowedHosts);
    const isRedirect = got.status >= 300 && got.status < 400 && got.location !== undefined;
    if (!isRedirect || hops === MAX_REDIRECTS || !URL.canParse(got.location ?? '', url))
      return { ...got, url };
    const target = new URL(got.location ?? '', url);
    if (isWithinOrigin && target.origin !== origin) return { ...got, url };
    url = target.href;
  }
}
