import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import type { OutcomeName } from './figures.ts';
import type { Agents } from './guard.ts';
import { type Posted, post } from './post.ts';
import { NoAnswer, reasonOf, reasons } from './reasons.ts';
import { keyIn, signatureOf } from './signature.ts';

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
export const send = (
  { url, id, body, at, secrets }: WebhookRequest,
  agents: Agents,
  allowedHosts: AllowedHosts,
  signal: AbortSignal,
): Promise<Outcome> => {
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => signatureOf(keyIn(secret), `${id}.${timestamp}.${body}`))
      .join(' '),
  };
  return attempt({ url, headers, body: Buffer.from(body) }, agents, allowedHosts, signal);
};

/** Makes one request to a host that `allowedHosts` allows. Never rejects. `signal` aborts it. */
export async function attempt(
  request: Posted,
  agents: Agents,
  allowedHosts: AllowedHosts,
  signal: AbortSignal,
): Promise<Outcome> {
  const began = performance.now();
  const ms = () => Math.round(performance.now() - began);
  try {
    if (refusalOf(new URL(request.url).hostname, allowedHosts)) throw new NoAnswer('notAllowed');
    const { statusCode: status = 0, headers } = await post(request, agents, signal);
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
