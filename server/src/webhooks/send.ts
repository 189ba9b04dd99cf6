import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { type Agents, Refused, refusalOf } from './guard.ts';

/** How long an attempt may take from looking up the name to the answer, in milliseconds. */
const PATIENCE = 15_000;
/** What is read of an answer, in bytes, so that its connection can be used again; it is looked at by nobody. */
const MAX_ANSWER = 16 * 1024;
const MAX_ERROR_LENGTH = 200;

/** An event on its way to one receiver. */
export interface Parcel {
  url: string;
  /** What signs it, the newest first. */
  secrets: readonly string[];
  id: string;
  body: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** What became of an attempt. */
export interface Outcome {
  accepted: boolean;
  /** Of the answer; null if there was none. */
  status: number | null;
  /** Why it was not accepted, for the owner of the webhook. */
  error: string | null;
  retryAfter: string | undefined;
  /** How long it took. */
  ms: number;
}

/** Makes one attempt, signed as Standard Webhooks has it. Throws nothing. `signal` cuts it off. */
export async function send(
  parcel: Parcel,
  agents: Agents,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const outcome = (status: number | null, error: string | null, retryAfter?: string): Outcome => ({
    accepted: error === null,
    status,
    error: error === null ? null : error.slice(0, MAX_ERROR_LENGTH),
    retryAfter,
    ms: Math.round(performance.now() - began),
  });
  try {
    const url = new URL(parcel.url);
    const refusal = allowPrivate ? undefined : refusalOf(url.hostname);
    if (refusal) throw new Refused(refusal);
    const { statusCode = 0, headers } = await post(url, parcel, agents, signal);
    const problem =
      statusCode >= 200 && statusCode < 300
        ? null
        : statusCode >= 300 && statusCode < 400
          ? `answered ${statusCode}: redirects are not followed`
          : `answered ${statusCode}`;
    return outcome(statusCode, problem, headers['retry-after']);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return outcome(null, error instanceof Refused || !code ? message : `no answer: ${code}`);
  }
}

async function post(url: URL, parcel: Parcel, agents: Agents, signal: AbortSignal): Promise<IncomingMessage> {
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const { request, response } = attempt(url, parcel, agents, deadline - performance.now(), signal);
    try {
      return await response;
    } catch (error) {
      // The receiver has closed a connection that was open from before: that says nothing about this attempt.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') continue;
      throw error;
    }
  }
}

function attempt(
  url: URL,
  { id, body, at, secrets }: Parcel,
  agents: Agents,
  patience: number,
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
  const late = () => request.destroy(new Error(`no answer within ${PATIENCE / 1000} s`));
  const timer = setTimeout(late, Math.max(patience, 0));
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
        if (length > MAX_ANSWER) request.destroy();
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
