import assert from 'node:assert/strict';
import { call, type Outcome, type Running } from './process.ts';
import type { Json } from './world.ts';

/** All records in a list on a running server, read page by page. */
export async function listOf(server: Pick<Running, 'url'>, key: string, path: string): Promise<Json[]> {
  const records: Json[] = [];
  let cursor = '';
  do {
    const { status, body } = await call(server, 'GET', `${path}?limit=100${cursor}`, { key });
    assert.equal(status, 200, JSON.stringify(body));
    records.push(...body.data);
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
  } while (cursor !== '');
  return records;
}

/** Asserts that a command succeeded with exactly one JSON value on standard output, and returns that value. */
export function jsonOf({ code, stdout, stderr }: Outcome): Json {
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const value = JSON.parse(stdout);
  assert.equal(stdout, `${JSON.stringify(value)}\n`);
  return value;
}

/**
 * Asserts that a command failed with exit code 1, one matching line on standard error, and nothing on standard
 * output.
 */
export function assertFailed({ code, stdout, stderr }: Outcome, line: RegExp): void {
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^[^\n]+\n$/, 'one line on standard error');
  assert.match(stderr, line);
  assert.doesNotMatch(stderr, /\bat .+:\d+:\d+/, 'no stack');
  assert.equal(stdout, '');
}
