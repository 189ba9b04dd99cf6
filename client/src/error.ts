import type { components } from './generated/schema.ts';

/** The server's own codes. */
export type ErrorCode = components['schemas']['Error']['error']['code'];

/** What is known of a refusal, or of a failure to get any answer. */
interface Facts {
  code: ErrorCode | 'NO_ANSWER';
  status: number;
  message: string;
  details?: unknown;
  requestId?: string;
  retryAfter?: number;
  attempts?: number;
  cause?: unknown;
}

/** What every call throws, except when its signal says stop: then it throws the signal's reason. */
export class PalaverError extends Error {
  override readonly name = 'PalaverError';
  /**
   * The server's code; or NO_ANSWER where nothing of it came back: no connection, silence, or the answer of another
   * program on the way, such as a proxy.
   */
  readonly code: ErrorCode | 'NO_ANSWER';
  /** The status of HTTP; 0 where there was no answer at all. */
  readonly status: number;
  /** INVALID_REQUEST: a list of `{ path, message }`. FORBIDDEN: the rule, the flags you have, the flags that would do. */
  readonly details: unknown;
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined;
  /** How long the server asked to wait, in seconds. */
  readonly retryAfter: number | undefined;
  /** How often the request was sent. Above 1, an attempt before may have had its effect, and its answer was lost. */
  readonly attempts: number;

  constructor({ code, status, message, details, requestId, retryAfter, attempts = 1, cause }: Facts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.attempts = attempts;
  }
}

/** No answer of Palaver's. */
export const noAnswer = (message: string, more: Partial<Facts> = {}): PalaverError =>
  new PalaverError({ code: 'NO_ANSWER', status: 0, message, ...more });

/** The error that an answer tells of. `body` is its parsed body, or its text where that is not JSON. */
export function errorOf(response: Response, body: unknown, attempts = 1): PalaverError {
  const { status } = response;
  const facts = { status, retryAfter: secondsToWait(response), attempts };
  const error = (body as { error?: components['schemas']['Error']['error'] } | null | undefined)?.error;
  if (typeof error?.code !== 'string') {
    return noAnswer(`what answered, with status ${status}, was not Palaver`, facts);
  }
  const { code, message, details, requestId } = error;
  return new PalaverError({ ...facts, code, message, details, requestId });
}

/** The header Retry-After in seconds, whether it holds these or a date. */
export function secondsToWait(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
