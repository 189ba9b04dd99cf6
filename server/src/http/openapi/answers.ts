import { ruleText } from '../../access/rules.ts';
import { type ErrorCode, problem } from '../../errors.ts';
import { limitHeader, policyHeader } from '../../limits/headers.ts';
import { limitTable, WINDOW_MS } from '../../limits/table.ts';
import { sampleId } from '../../operations/examples.ts';

interface Refusal {
  codes: ErrorCode[];
  /** The HTTP status, if it differs from that of the code. */
  status?: number;
  when: string;
  /** One example per code. */
  examples: Partial<Record<ErrorCode, { message: string; details?: unknown }>>;
  headers?: string[];
}

/** The error responses of endpoints, by their names in the document. */
export const refusals: Record<string, Refusal> = {
  InvalidRequest: {
    codes: ['INVALID_REQUEST'],
    when: 'Fields are missing or invalid, or the body cannot be read.',
    examples: {
      INVALID_REQUEST: {
        message: 'content: must be a string',
        details: [problem('wrong_type', 'content', 'must be a string')],
      },
    },
  },
  Unauthorized: {
    codes: ['UNAUTHORIZED', 'INVALID_API_KEY'],
    when: 'The API key is missing, malformed, unknown, revoked or expired.',
    examples: {
      UNAUTHORIZED: { message: 'send the header "Authorization: Bearer <API key>"' },
      INVALID_API_KEY: { message: 'this API key does not exist or was revoked' },
    },
    headers: ['WWW-Authenticate'],
  },
  Forbidden: {
    codes: ['FORBIDDEN'],
    when: "The key lacks permission. `details` has the rule, the key's flags, and missing flags that would allow the request.",
    examples: {
      FORBIDDEN: {
        message: "this key's role lacks canEditChannel or canEditServer",
        details: {
          rule: ruleText('channel', 'insert'),
          have: ['canEditData', 'canViewData'],
          need: ['canEditChannel', 'canEditServer'],
        },
      },
    },
  },
  NotFound: {
    codes: ['NOT_FOUND'],
    when: 'No record exists for an id in the path or the body.',
    examples: { NOT_FOUND: { message: 'channel not found' } },
  },
  AlreadyExists: {
    codes: ['ALREADY_EXISTS'],
    when: 'A record that must be unique already exists. `details` has its id, if the key can read it.',
    examples: {
      ALREADY_EXISTS: {
        message: 'a channel with this name already exists in the server',
        details: { id: sampleId('channel') },
      },
    },
  },
  RateLimited: {
    codes: ['RATE_LIMITED'],
    when: 'Too many requests of this kind. Retry after the seconds in Retry-After.',
    examples: {
      RATE_LIMITED: { message: 'more than 30 requests of the kind "message" in 60 s: retry in 12 s' },
    },
    headers: ['Retry-After'],
  },
  InternalError: {
    codes: ['INTERNAL_ERROR'],
    when: 'The server failed, and nothing was changed. The operator can find the request in the log by its requestId.',
    examples: {
      INTERNAL_ERROR: {
        message:
          'something went wrong on the server. Its operator can find the cause in the log, by the requestId',
      },
    },
  },
  Unavailable: {
    codes: ['INTERNAL_ERROR'],
    status: 503,
    when: 'The database is temporarily unavailable. A write may have succeeded: retry it with the same Idempotency-Key.',
    examples: {
      INTERNAL_ERROR: {
        message: 'the database is temporarily unavailable. Try again in a second',
      },
    },
    headers: ['Retry-After'],
  },
};

const header = (description: string, example: string | number, type = 'string') => ({
  description,
  schema: { type },
  example,
});

const SAMPLE_REQUEST_ID = 'f3Zk0aQ1-2s';

export const headers = {
  'X-Request-Id': header("Identifies this request in the server's log", SAMPLE_REQUEST_ID),
  'RateLimit-Policy': header(
    'The limit that applies: its kind, and `q` requests in a window of `w` seconds',
    policyHeader('message', limitTable.message),
  ),
  RateLimit: header(
    'Remaining requests `r`, and seconds `t` until one more is available',
    limitHeader('message', { accepted: true, remaining: 29, resetMs: WINDOW_MS }),
  ),
  'Retry-After': header('Seconds to wait before retrying', 12, 'integer'),
  'WWW-Authenticate': header('The scheme to authenticate with', 'Bearer'),
  Link: header(
    'The next page; absent on the last one',
    '</api/v1/notifications?limit=50&cursor=AAECAwQF>; rel="next"',
  ),
  'Ignored-Parameters': header('Unknown body fields and query parameters', 'contnet, foo'),
  'Idempotency-Replayed': header('`true` if this is the stored response to an earlier request', 'true'),
};

/** The response headers of an operation that is deprecated, or has a deprecated field or parameter. */
export const deprecationHeaders = {
  Deprecation: header('When something in the request was deprecated (RFC 9745)', '@1798675200'),
  Sunset: header('When it may be removed (RFC 8594)', 'Thu, 01 Jul 2027 00:00:00 GMT'),
};

export const refTo = (group: string, name: string) => ({ $ref: `#/components/${group}/${name}` });
export const headersOf = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
/** The headers that report a rate limit and the remaining requests. */
export const limited = ['RateLimit-Policy', 'RateLimit'];

/** Returns the response object for an error. */
export function refusalResponse({ codes, when, examples, headers: more = [] }: Refusal) {
  const answers = Object.entries(examples).map(([code, { message, details }]) => {
    const error = { code, message, requestId: SAMPLE_REQUEST_ID, ...(details !== undefined && { details }) };
    return [code, { value: { ok: false, error } }];
  });
  const admitted = codes.includes('UNAUTHORIZED') ? [] : limited;
  return {
    description: `${codes.join(' or ')}. ${when}`,
    headers: headersOf(['X-Request-Id', ...admitted, ...more]),
    content: {
      'application/json': { schema: refTo('schemas', 'Error'), examples: Object.fromEntries(answers) },
    },
  };
}

/**
 * A header parameter of POST operations. It has no example, because a console that fills in examples would
 * replay the first request forever.
 */
export const idempotencyKey = {
  in: 'header',
  name: 'Idempotency-Key',
  description:
    'Makes the request safe to retry for 24 hours: the same key with the same body returns the first response again. 1 to 255 characters; a random UUID is best.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/**
 * A header parameter of event streams. It has no example, because a console would resume from an event that
 * does not exist.
 */
export const lastEventId = {
  in: 'header',
  name: 'Last-Event-ID',
  description:
    'The id of the last event you received: the stream continues after it. Takes precedence over `after`.',
  schema: { type: 'string' },
};
