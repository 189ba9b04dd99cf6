// @run sqlite, waits: uses no database; waits for time to pass
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { skip } from '../support/browser.ts';
import { inherited } from '../support/process.ts';

const script = join(import.meta.dirname, '..', 'support', 'runs', 'run.ts');

/** The result of a file. */
interface Count {
  file: string;
  passed: number;
  failed: number;
}

/**
 * Runs files of `test/support/runs` as `npm test` does, with a timeout in milliseconds for each. Returns
 * their results and the output.
 */
async function ran(
  names: readonly string[],
  longest: number,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ text: string; counts: Count[] }> {
  // Uses a separate process, because tests inside tests do not run.
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(longest), ...names], {
    env: { ...inherited(), ...environment },
  });
  return JSON.parse(stdout);
}

const result = (name: string, passed: number) => ({
  file: `support/runs/${name}.ts`,
  passed,
  failed: 1 - passed,
});

test('a file that never finishes fails with the name of its test, and later files still run', async () => {
  const { text, counts } = await ran(['passes', 'waits', 'follows'], 3_000);
  assert.deepEqual(counts, [result('passes', 1), result('waits', 0), result('follows', 1)]);
  assert.match(text, /waits for ever/);
  assert.match(text, /timed out after 3000ms/);
});

test('a file that blocks its process is killed and named', async () => {
  const { text, counts } = await ran(['spins', 'passes'], 3_000);
  assert.ok(counts.length > 0 && counts.every(({ failed }) => failed > 0), JSON.stringify(counts));
  assert.match(text, /support\/runs\/spins\.ts was killed: no result for 13 s/);
});

test('a run that stops at a failure ends with the failed file', async () => {
  const { counts } = await ran(['passes', 'waits', 'follows'], 3_000, { STOPS_AT_FAILURE: 'yes' });
  assert.deepEqual(counts, [result('passes', 1), result('waits', 0)]);
});

test('a browser that crashes fails only the file that uses it', {
  skip,
}, async () => {
  const { counts } = await ran(['opens', 'crashes', 'reopens'], 60_000);
  assert.deepEqual(counts, [result('opens', 1), result('crashes', 0), result('reopens', 1)]);
});
