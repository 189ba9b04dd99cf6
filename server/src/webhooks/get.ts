import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import type { Agents } from './guard.ts';
import { NoAnswer } from './reasons.ts';

/** A request to an untrusted external URL. */
export interface Wanted {
  url: string;
  accept: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum size of the body, in bytes. */
  maxBytes: number;
  /** Whether the beginning of the body is enough. */
  isPeek?: boolean;
  /** Aborts the request, for example when it is late. */
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
 * Gets a URL from a host that `allowedHosts` and `agents` allow. Redirects are not followed. Throws NoAnswer, also if the
 * body is longer than `maxBytes` or compressed, or the error of the socket.
 */
export async function get(
  { url: address, accept, headers: further, maxBytes, isPeek = false, signal }: Wanted,
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
      if (bytes > maxBytes) throw new NoAnswer('unreadable');
      pieces.push(piece);
      if (isPeek) break;
    }
    const { 'content-type': contentType = '', location } = headers;
    return { status, contentType, location, body: Buffer.concat(pieces) };
  } finally {
    response.destroy();
  }
}
