import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Agents } from './guard.ts';
import { NoAnswer } from './reasons.ts';

/** Timeout of an attempt, from name resolution to the response headers. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/**
 * Responses are read to the end, so that the connection can be reused. If a response is longer than this, in
 * bytes, the connection is closed.
 */
const MAX_ANSWER_BYTES = 16 * 1024;

/** A request to an external host at a URL that a user has entered. */
export interface Posted {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

/**
 * Posts a body through `agents`, which restrict the addresses to connect to. Redirects are not followed.
 * Throws NoAnswer, or the error of the socket. `signal` aborts it.
 */
export async function post(posted: Posted, agents: Agents, signal: AbortSignal): Promise<IncomingMessage> {
  const deadline = performance.now() + ATTEMPT_TIMEOUT_MS;
  for (;;) {
    const { request, response } = attempt(posted, agents, deadline - performance.now(), signal);
    try {
      return await response;
    } catch (error) {
      // The receiver closed an idle connection just when it was reused. This does not count as a failed
      // attempt.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') continue;
      throw error;
    }
  }
}

function attempt(
  { url: address, headers, body }: Posted,
  agents: Agents,
  timeoutMs: number,
  signal: AbortSignal,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const url = new URL(address);
  const options: RequestOptions = {
    method: 'POST',
    agent: agents[url.protocol],
    headers: { 'content-length': body.length, 'user-agent': 'Palaver', ...headers },
  };
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  const late = () => request.destroy(new NoAnswer('late'));
  const timer = setTimeout(late, Math.max(timeoutMs, 0));
  const cutOff = () => request.destroy(new NoAnswer('stopped'));
  signal.addEventListener('abort', cutOff, { once: true });
  request.on('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cutOff);
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', (answer) => {
      let length = 0;
      answer.on('data', (piece: Buffer) => {
        length += piece.length;
        if (length > MAX_ANSWER_BYTES) request.destroy();
      });
      answer.on('error', () => {});
      resolve(answer);
    });
    request.on('error', reject);
    request.on('close', () => reject(new NoAnswer('closed')));
    if (signal.aborted) cutOff();
    request.end(body);
  });
  return { request, response };
}
