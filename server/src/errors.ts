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

/** Where a request is wrong: a path into the body or the query, and what to change. */
export interface Problem {
  path: string;
  message: string;
}

/** A refusal that the caller is told about in the error envelope. Anything else thrown is an INTERNAL_ERROR. */
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

/** NOT_FOUND for an identifier that names nothing. */
export const notFound = (noun: string): ApiError => new ApiError('NOT_FOUND', `${noun} not found`);

/** INVALID_REQUEST for one field; `path` is empty where the whole body or query is meant. */
export function invalid(path: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', path === '' ? message : `${path}: ${message}`, [{ path, message }]);
}
