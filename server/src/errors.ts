/** The eight error codes in the specification, part 7, each with its HTTP status. */
export const errorCodes = {
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INVALID_REQUEST: 400,
  ALREADY_EXISTS: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof errorCodes;

/**
 * The reasons for INVALID_REQUEST, each with its meaning. Clients may rely on them. `docs/api/errors.md` has
 * a section for each.
 */
export const reasons = {
  missing: 'A required field, file or header is missing',
  wrong_type: 'The value has the wrong JSON type',
  unknown_value: 'The value is not one of the allowed values',
  wrong_form: 'The text does not have the required format',
  blank: 'The text has no visible character',
  too_short: 'The text is shorter than the minimum',
  too_long: 'The text is longer than the maximum',
  out_of_range: 'The number or time is too small or too large',
  too_few: 'The list has too few elements',
  too_many: 'There are too many elements',
  too_large: 'The body or file is too large',
  too_deep: 'Objects or lists are nested too deeply',
  duplicate: 'The list contains an element twice',
  bad_text: 'The text contains U+0000 or an unpaired surrogate, or a name contains an invisible character',
  bad_encoding: 'The body is not UTF-8, or it is compressed',
  bad_json: 'The body is not valid JSON',
  bad_form: 'The body is not a valid form',
  wrong_media_type: 'The Content-Type is not supported here',
  nothing_to_show: 'The body of an incoming webhook has no content to post',
  unreadable: 'The request is not valid HTTP, or was cut off',
  too_slow: 'The request took too long to arrive',
  wrong_host: 'The Host header is missing, or names a host that is not served here',
  bad_cursor: 'The cursor was changed, or belongs to another list or filter',
  expired: 'The events after this cursor are no longer kept',
  other_history: 'The cursor is from another database, for example from before a backup was restored',
  key_reused: 'The Idempotency-Key was used for another request',
  reserved: 'The username is reserved, or the name of an app looks like that of another app',
  mismatch: 'Two values in the request contradict each other',
  wrong_kind: 'The operation does not apply to this kind of record, or not in its current state',
  wrong_offset:
    'The `offset` is not the end of the streamed message or import archive. Continue from `offset` in `details`',
  ended: 'The streamed message is complete, or was stopped',
  not_together: 'The field cannot be combined with another one in the request',
  fixed: 'The field cannot be changed',
  refused_address: 'The URL resolves to a private address, or contains a username or password',
  quota: 'A quota is used up',
  insecure_address: 'Passkeys work only on https with a host name, and on http://localhost',
  weak_password: 'The password is too easy to guess',
} as const;

export type Reason = keyof typeof reasons;

/** The page on every server that explains the reasons. Each reason is an anchor on the page. */
const HELP = '/docs/guides/errors';

/** One problem with a request, in the `details` of INVALID_REQUEST. */
export interface Problem {
  /** The path of the field in the body or the query; empty for the body or query as a whole. */
  path: string;
  /** The problem, such as `must be a string`. */
  message: string;
  reason: Reason;
  /** The path of the page on this server that explains the reason. */
  help: string;
  /**
   * The cursor from which to continue; only for `expired` and `other_history`, and only if the request had a
   * cursor.
   */
  cursor?: string;
  /**
   * The length of a streamed message so far, in UTF-16 code units, or of an import archive, in bytes; only for
   * `wrong_offset` and `ended`.
   */
  offset?: number;
  /** How the streamed message ended; only for `ended`. */
  stream?: 'done' | 'stopped';
}

export const problem = (reason: Reason, path: string, message: string): Problem => ({
  path,
  message,
  reason,
  help: `${HELP}#${reason}`,
});

/** An error for the caller, returned in the error envelope. Any other error becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: 'INVALID_REQUEST', message: string, problems: readonly [Problem, ...Problem[]]);
  constructor(
    code: Exclude<ErrorCode, 'INVALID_REQUEST'>,
    message: string,
    details?: unknown,
    headers?: Record<string, string>,
  );
  constructor(code: ErrorCode, message: string, details?: unknown, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.status = errorCodes[code];
    this.details = details;
    this.headers = headers;
  }
}

/**
 * INVALID_REQUEST with status 413 (RFC 9110, 15.5.14), for incoming webhooks. Their senders read the status
 * rather than the body. 413 tells them that the body is too large, not that its content is wrong.
 */
export class ContentTooLarge extends ApiError {
  override readonly status = 413;

  constructor(message: string) {
    super('INVALID_REQUEST', message, [problem('too_large', '', message)]);
  }
}

/** Creates a NOT_FOUND error for the id of a record that does not exist. */
export const notFound = (noun: string): ApiError => new ApiError('NOT_FOUND', `${noun} not found`);

/**
 * Creates an INVALID_REQUEST error for one field. `path` is empty if the problem concerns the whole body or
 * query. `cursor` is the position from which the caller can continue.
 */
export function invalid(reason: Reason, path: string, message: string, cursor?: string): ApiError {
  return invalidWith({ ...problem(reason, path, message), ...(cursor !== undefined && { cursor }) });
}

/** Creates an INVALID_REQUEST error for one problem. */
export function invalidWith(found: Problem): ApiError {
  const { path, message } = found;
  return new ApiError('INVALID_REQUEST', path === '' ? message : `${path}: ${message}`, [found]);
}
