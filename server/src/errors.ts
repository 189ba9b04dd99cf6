/** The eight error codes of the specification, part 7, each with its HTTP status. */
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

/** One problem of a request, in `details` of INVALID_REQUEST. */
export interface Problem {
  /** The path of the field in the body or the query; empty for the whole. */
  path: string;
  /** The change that the caller has to make. */
  message: string;
}

/** An error for the caller, answered in the error envelope. Any other error becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, details?: unknown, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.status = errorCodes[code];
    this.details = details;
    this.headers = headers;
  }
}

/** NOT_FOUND for an identifier of a record that does not exist. */
export const notFound = (noun: string): ApiError => new ApiError('NOT_FOUND', `${noun} not found`);

/** INVALID_REQUEST for one field. `path` is empty if the problem is the whole body or query. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', path === '' ? message : `${path}: ${message}`, [{ path, message }]);
}
