import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { refusalOf } from './addresses.ts';
import { type Agents, RefusedAddress } from './guard.ts';

/** The time limit of an attempt, from resolving the name to the answer's head. */
const ATTEMPT_TIMEOUT_MS = 15_000;
/** An answer is read and ignored, so that its connection can be reused. A longer one closes the connection. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 200;

/** An event to be sent to one receiver. */
export interface WebhookRequest {
  url: string;
  /** The signing secrets, the newest first. Each adds a signature. */
  secrets: readonly string[];
  id: string;
  body: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** The outcome of one attempt. */
export interface Outcome {
  accepted: boolean;
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** The reason why it was not accepted, for the owner of the webhook. */
  error: string | null;
  /** The header of the answer. */
  retryAfter: string | undefined;
  /** The duration, in milliseconds. */
  ms: number;
}

/** Makes one attempt, signed as in Standard Webhooks. Never rejects. `signal` aborts it. */
export async function send(
  webhookRequest: WebhookRequest,
  agents: Agents,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const outcome = (status: number | null, error: string | null, retryAfter?: string): Outcome => ({
    accepted: error === null,
    status,
    error: error === null ? null : error.slice(0, MAX_ERROR_CHARACTERS),
    retryAfter,
    ms: Math.round(performance.now() - began),
  });
  try {
    const url = new URL(webhookRequest.url);
    const refusal = allowPrivate ? undefined : refusalOf(url.hostname);
    if (refusal) throw new RefusedAddress(refusal);
    const { statusCode = 0, headers } = await post(url, webhookRequest, agents, signal);
    const problem =
      statusCode >= 200 && statusCode < 300
        ? null
        : statusCode >= 300 && statusCode < 400
          ? `answered ${statusCode}: redirects are not followed`
          : `answered ${statusCode}`;
    return outcome(statusCode, problem, headers['retry-after']);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return outcome(null, error instanceof RefusedAddress || !code ? message : `no answer: ${code}`);
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
      // The receiver closed an idle connection just as it was reused: this is no failure of the attempt.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') continue;
      throw error;
    }
  }
}

function attempt(
  url: URL,
  { id, body, at, secrets }: WebhookRequest,
  agents: Agents,
  timeoutMs: number,
  signal: AbortSignal,
): { request: ClientRequest; response: Promise<IncomingMessage> } {
  const options: RequestOptions = {
    method: 'POST',
    agent: agents[url.protocol],
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Palaver',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Webhook(secret).sign(id, new Date(at), body))
        .join(' '),
    },
  };
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options);
  const late = () => request.destroy(new Error(`no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`));
  const timer = setTimeout(late, Math.max(timeoutMs, 0));
  const cutOff = () => request.destroy(new Error('the server was stopped'));
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
    request.on('close', () => reject(new Error('the connection was closed without an answer')));
    if (signal.aborted) cutOff();
    request.end(body);
  });
  return { request, response };
}
