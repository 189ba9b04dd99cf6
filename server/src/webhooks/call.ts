import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import type { Agents } from './guard.ts';
import { NoAnswer } from './reasons.ts';

/** A request to an external host, defined by a member. */
export interface Called {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  signal: AbortSignal;
}

/** The response, with a prefix of its body. */
export interface CallAnswer {
  status: number;
  contentType: string;
  text: string;
  isWhole: boolean;
}

const MAX_BYTES = 64 * 1024;

/**
 * Sends a request to a host that `allowedHosts` and `agents` allow. Redirects are not followed. Throws
 * NoAnswer, the error of the socket, or a TypeError for headers that cannot be sent.
 */
export async function callHost(
  { method, url, headers, body, signal }: Called,
  agents: Agents,
  allowedHosts: AllowedHosts,
): Promise<CallAnswer> {
  if (refusalOf(url.hostname, allowedHosts)) throw new NoAnswer('notAllowed');
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body ? { 'content-length': body.length } : {};
  const request = send(url, {
    method,
    agent: agents[url.protocol],
    headers: { 'user-agent': 'Palaver', ...headers, 'accept-encoding': 'identity', ...length },
    signal,
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', reject);
    request.end(body);
  });
  try {
    const { statusCode: status = 0, headers } = response;
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > MAX_BYTES) break;
    }
    const text = Buffer.concat(pieces).subarray(0, MAX_BYTES).toString().toWellFormed().replaceAll('\0', '');
    return { status, contentType: headers['content-type'] ?? '', text, isWhole: bytes <= MAX_BYTES };
  } finally {
    response.destroy();
  }
}
