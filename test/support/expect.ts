import assert from 'node:assert/strict';
import type { Answer, Json } from './world.ts';

/**
 * The eight error codes from the specification, part 7. They are repeated here so that the tests do not rely on the
 * server's table.
 */
export const statusOf = {
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INVALID_REQUEST: 400,
  ALREADY_EXISTS: 409,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const;

export type Code = keyof typeof statusOf;

/**
 * Asserts the status, the code and the whole error envelope of an error response. `path` is the field that
 * INVALID_REQUEST names.
 */
export function assertRefused(answer: Answer, code: Code, context = '', path?: string): void {
  const { status, headers, body } = answer;
  const seen = `${context} returned ${status} ${JSON.stringify(body)}`;
  assert.equal(body?.error?.code, code, seen);
  assert.equal(status, statusOf[code], seen);
  assert.deepEqual(Object.keys(body).sort(), ['error', 'ok'], seen);
  assert.equal(body.ok, false, seen);
  const { message, requestId, details } = body.error;
  assert.ok(typeof message === 'string' && message.length > 0, seen);
  assert.ok(typeof requestId === 'string' && requestId.length > 0, seen);
  assert.equal(requestId, headers.get('x-request-id'), seen);
  assert.match(headers.get('content-type') ?? '', /^application\/json/, seen);
  assert.doesNotMatch(message, /sqlite|kysely|fastify|\bajv\b|node:|\/src\/|\.ts:/i, seen);
  const known = ['code', 'message', 'requestId', 'details'];
  assert.deepEqual(
    Object.keys(body.error).filter((name) => !known.includes(name)),
    [],
    seen,
  );
  if (code === 'INVALID_REQUEST') {
    assert.ok(Array.isArray(details) && details.length > 0, seen);
    for (const detail of details) {
      const { cursor, offset, stream, ...plain } = detail;
      assert.deepEqual(Object.keys(plain).sort(), ['help', 'message', 'path', 'reason'], seen);
      assert.match(detail.reason, /^[a-z_]+$/, seen);
      assert.equal(detail.help, `/docs/guides/errors#${detail.reason}`, seen);
      const isOfStream = /^(wrong_offset|ended)$/.test(detail.reason);
      assert.equal(Number.isInteger(offset), isOfStream, seen);
      assert.equal(stream !== undefined, detail.reason === 'ended', seen);
      const isOfPlace = detail.path === 'after' && /^(expired|other_history)$/.test(detail.reason);
      assert.equal(cursor !== undefined, isOfPlace, seen);
      assert.ok(typeof detail.path === 'string' && typeof detail.message === 'string', seen);
    }
  }
  if (code === 'FORBIDDEN') {
    assert.deepEqual(Object.keys(details).sort(), ['have', 'need', 'rule'], seen);
    assert.ok(typeof details.rule === 'string' && Array.isArray(details.have), seen);
    assert.ok(Array.isArray(details.need), seen);
  }
  if (path !== undefined) {
    const paths = details.map((detail: Json) => detail.path);
    assert.ok(
      paths.some(
        (given: string) => given === path || given.startsWith(`${path}.`) || given.startsWith(`${path}[`),
      ),
      seen,
    );
  }
}

/** Asserts that a response is a success, and returns its data. */
export function dataOf(answer: Answer, context = ''): Json {
  assert.equal(answer.status, 200, `${context} returned ${answer.status} ${JSON.stringify(answer.body)}`);
  assert.equal(answer.body.ok, true, context);
  assert.ok(answer.headers.get('x-request-id'), context);
  return answer.body.data;
}

export const idsOf = (records: Json[]): string[] => records.map(({ id }) => id);
