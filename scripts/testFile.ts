import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import type { Engine } from './suites.ts';

/** The time limit for a file: one that hangs has failed. */
const LONGEST_MS = 600_000;

/** A test file to run on an engine. */
export interface Job {
  file: string;
  engine: Engine;
}

/** The result of a test file. */
export interface Result {
  passed: number;
  failed: number;
  /** The names of skipped tests, each with the reason. */
  skipped: string[];
  seconds: number;
}

/**
 * Runs one file in a process of its own. `write` gets the text of the spec reporter: every test, the process's output,
 * and each failure in full.
 */
export async function runFile(
  { file }: Job,
  env: NodeJS.ProcessEnv,
  write: (text: string) => void,
): Promise<Result> {
  const start = performance.now();
  const result: Result = { passed: 0, failed: 0, skipped: [], seconds: 0 };
  const events = run({ files: [file], env, signal: AbortSignal.timeout(LONGEST_MS) });
  events.on('test:pass', ({ name, skip }) => {
    if (skip !== undefined) result.skipped.push(`${name} (${skip})`);
  });
  events.on('test:summary', ({ file: part, counts }) => {
    // Summaries with a file are for that file; only the last is for the run.
    if (part !== undefined) return;
    result.passed = counts.passed;
    result.failed = counts.tests - counts.passed - counts.skipped - counts.todo;
  });
  for await (const text of events.compose(withoutTotals).compose(new spec())) write(String(text));
  result.seconds = (performance.now() - start) / 1000;
  return result;
}

/** Drops the totals that follow the tests of a file. */
async function* withoutTotals(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event;
  }
}
