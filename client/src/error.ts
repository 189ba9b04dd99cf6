import type { components } from './generated/schema.ts';

/** The error codes of the server. */
export type ErrorCode = components['schemas']['Error']['error']['code'];

/** One problem of a request that was refused with INVALID_REQUEST. */
export type Problem = components['schemas']['Problem'];

/** The facts of a refusal, or of a failure to get any answer. */
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

/** The error of every call. (If the caller's signal aborts, the call throws the signal's reason instead.) */
export class PalaverError extends Error {
  override readonly name = 'PalaverError';
  /**
   * The server's code; NO_ANSWER if the server's answer did not arrive: no connection, silence, or the answer of
   * another program in between, such as a proxy.
   */
  readonly code: ErrorCode | 'NO_ANSWER';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * INVALID_REQUEST: a list of `Problem`, as in `problems`. FORBIDDEN: the rule, the flags you have, and the flags that would
   * be enough.
   */
  readonly details: unknown;
  /** The request's id in the log of the server. */
  readonly requestId: string | undefined;
  /** Seconds that the server asked to wait. */
  readonly retryAfter: number | undefined;
  /**
   * The number of times the request was sent. Above 1, an earlier attempt may have taken effect although its answer was
   * lost.
   */
  readonly attempts: number;

  /** The problems of INVALID_REQUEST: `reason` is for programs. Empty for every other code. */
  get problems(): readonly Problem[] {
    return this.code === 'INVALID_REQUEST' && Array.isArray(this.details) ? this.details : [];
  }

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

/** The error for an answer that is missing or does not come from Palaver. */
export const noAnswer = (message: string, more: Partial<Facts> = {}): PalaverError =>
  new PalaverError({ code: 'NO_ANSWER', status: 0, message, ...more });

/** The error that an answer holds. `body` is the parsed body, or its text if that is not JSON. */
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

/** The Retry-After header in seconds, whether it holds seconds or a date. */
export function secondsToWait(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
