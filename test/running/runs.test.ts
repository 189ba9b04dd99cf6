// @run sqlite, waits: opens no data; waits for time to pass
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { skip } from '../support/browser.ts';
import { inherited } from '../support/process.ts';

const script = join(import.meta.dirname, '..', 'support', 'runs', 'run.ts');

/** What comes of a file. */
interface Count {
  file: string;
  passed: number;
  failed: number;
}

/** Runs files of `test/support/runs` as `npm test` does, each for at most so many milliseconds: their results, and what was printed. */
async function ran(
  names: readonly string[],
  longest: number,
  environment: NodeJS.ProcessEnv = {},
): Promise<{ text: string; counts: Count[] }> {
  // A process of its own: tests within tests are not run.
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

test('a file that waits for ever fails, with the name of its test, and those after it run', async () => {
  const { text, counts } = await ran(['passes', 'waits', 'follows'], 3_000);
  assert.deepEqual(counts, [result('passes', 1), result('waits', 0), result('follows', 1)]);
  assert.match(text, /waits for ever/);
  assert.match(text, /timed out after 3000ms/);
});

test('a file that never comes to rest is ended with its process, and named', async () => {
  const { text, counts } = await ran(['spins', 'passes'], 3_000);
  assert.ok(counts.length > 0 && counts.every(({ failed }) => failed > 0), JSON.stringify(counts));
  assert.match(text, /support\/runs\/spins\.ts is ended: nothing has come of it for 13 s/);
});

test('a run that stops at a failure ends with the file that failed', async () => {
  const { counts } = await ran(['passes', 'waits', 'follows'], 3_000, { STOPS_AT_FAILURE: 'yes' });
  assert.deepEqual(counts, [result('passes', 1), result('waits', 0)]);
});

test('a browser that crashes fails the file that uses it, and no other of its process', {
  skip,
}, async () => {
  const { counts } = await ran(['opens', 'crashes', 'reopens'], 60_000);
  assert.deepEqual(counts, [result('opens', 1), result('crashes', 0), result('reopens', 1)]);
});
