import { createHmac } from 'node:crypto';
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import type { OutcomeName } from './figures.ts';
import type { Agents } from './guard.ts';
import { NoAnswer, reasonOf, reasons } from './reasons.ts';

/** Timeout of an attempt, from name resolution to the response headers. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** Responses are read to the end so the connection can be reused. A response longer than this closes it. */
const MAX_ANSWER_BYTES = 16 * 1024;

/** An event to send to one receiver. */
export interface WebhookRequest {
  url: string;
  /** The signing secrets, newest first. Each adds a signature. */
  secrets: readonly string[];
  id: string;
  body: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** The outcome of one attempt. */
export interface Outcome {
  name: OutcomeName;
  /** The status of the response; null if there was none. */
  status: number | null;
  /** The reason why the event was not accepted, described for the webhook's owner. */
  error: string | null;
  /** The `Retry-After` header of the response. */
  retryAfter: string | undefined;
  /** Duration in milliseconds. */
  ms: number;
}

/** Makes one attempt, signed as in Standard Webhooks. Never rejects. `signal` aborts it. */
export async function send(
  webhookRequest: WebhookRequest,
  agents: Agents,
  allowedHosts: AllowedHosts,
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    const url = new URL(webhookRequest.url);
    if (refusalOf(url.hostname, allowedHosts)) throw new NoAnswer('notAllowed');
    const { statusCode: status = 0, headers } = await post(url, webhookRequest, agents, signal);
    const retryAfter = headers['retry-after'];
    if (status >= 200 && status < 300) return { name: 'accepted', status, error: null, retryAfter, ms: ms() };
    const isRedirect = status >= 300 && status < 400;
    const error = `returned ${status}${isRedirect ? ': redirects are not followed' : ''}`;
    return { name: 'rejected', status, error, retryAfter, ms: ms() };
  } catch (error) {
    const reason = reasons[reasonOf(error)];
    return { name: 'unanswered', status: null, error: reason, retryAfter: undefined, ms: ms() };
  }
}

async function post(
  url: URL,
  webhookRequest: WebhookRequest,
  agents: Agents,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const deadline = performance.now() + ATTEMPT_TIMEOUT_MS;
  for (;;) {
    const { request, response } = attempt(url, webhookRequest, agents, deadline - performance.now(), signal);
    try {
      return await response;
    } catch (error) {
      // The receiver closed an idle connection while it was being reused. This does not count as a failed
      // attempt.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') continue;
      throw error;
    }
  }
}

/** A Standard Webhooks signature (version 1), made with a secret `whsec_…`. */
const signatureOf = (secret: string, signed: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

function attempt(
  url: URL,
  { id, body, at, secrets }: WebhookRequest,
  agents: Agents,
  timeoutMs: number,
  signal: AbortSignal,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const timestamp = String(Math.floor(at / 1000));
  const options: RequestOptions = {
    method: 'POST',
    agent: agents[url.protocol],
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Palaver',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets
        .map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
        .join(' '),
    },
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
