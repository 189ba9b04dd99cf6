import type { components } from './generated/schema.ts';

/** The server's error codes. */
export type ErrorCode = components['schemas']['Error']['error']['code'];

/** A problem in a request that was rejected with INVALID_REQUEST. */
export type Problem = components['schemas']['Problem'];

/** The properties of a `PalaverError`. */
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

/** The error that failed calls throw. An aborted call throws its signal's reason instead. */
export class PalaverError extends Error {
  override readonly name = 'PalaverError';
  /**
   * The server's code; NO_ANSWER if Palaver did not respond: there was no connection, the call timed out, or
   * a proxy or another program responded instead.
   */
  readonly code: ErrorCode | 'NO_ANSWER';
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * For INVALID_REQUEST, a list of `Problem`, as in `problems`. For FORBIDDEN, the rule, your flags, and the
   * flags that would suffice.
   */
  readonly details: unknown;
  /** The request's id in the server's log. */
  readonly requestId: string | undefined;
  /** The `Retry-After` header of the response, in seconds. */
  readonly retryAfter: number | undefined;
  /**
   * The number of attempts. After more than one, an earlier attempt may have succeeded even though its response
   * was lost.
   */
  readonly attempts: number;

  /** The problems for INVALID_REQUEST, each with a machine-readable `reason`. Empty for every other code. */
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

/** Creates the error for a response that is missing or not from Palaver. */
export const noAnswer = (message: string, more: Partial<Facts> = {}): PalaverError =>
  new PalaverError({ code: 'NO_ANSWER', status: 0, message, ...more });

/** Creates the error from a response. `body` is the parsed body, or its text if it is not JSON. */
export function errorOf(response: Response, body: unknown, attempts = 1): PalaverError {
  const { status } = response;
  const facts = { status, retryAfter: secondsToWait(response), attempts };
  const error = (body as { error?: components['schemas']['Error']['error'] } | null | undefined)?.error;
  if (typeof error?.code !== 'string') {
    return noAnswer(`the response with status ${status} is not from Palaver`, facts);
  }
  const { code, message, details, requestId } = error;
  return new PalaverError({ ...facts, code, message, details, requestId });
}

/** Converts the `Retry-After` header, which contains seconds or a date, to seconds. */
export function secondsToWait(response: Response): number | undefined {
  const text = response.headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  const seconds = (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
