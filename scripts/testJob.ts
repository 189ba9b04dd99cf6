import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import type { Job } from './suites.ts';

/** The time limit for a file: one that hangs has failed. */
export const LONGEST_MS = 600_000;

/** The variable that names the file to which a job's process writes its processor time so far, a line after each file. */
export const CPU_FILE = 'PALAVER_TEST_CPU_FILE';

/** The result of a test file, or of a process that ended before its files did. */
export interface Result {
  /** The path under test/. */
  file: string;
  passed: number;
  failed: number;
  /** The names of skipped tests, each with the reason. */
  skipped: string[];
  seconds: number;
  /** The processor time of the file's process and of those that it started; 0 where the system does not tell. */
  cpu: number;
}

/**
 * Runs the files of a job in a process of their own. `write` gets the text of the spec reporter: every test, the
 * process's output, and each failure in full.
 */
export async function runJob(
  { files }: Job,
  env: NodeJS.ProcessEnv,
  write: (text: string) => void,
): Promise<Result[]> {
  const results: Omit<Result, 'cpu'>[] = [];
  let counts = { passed: 0, failed: 0, skipped: [] as string[] };
  const onEnd = (hasFailed: boolean) => (ended: Ended) => {
    const { name, nesting, skip, details } = ended;
    if (skip !== undefined) counts.skipped.push(`${name} (${skip})`);
    else if (nesting > 0 && details.type === 'test') counts[hasFailed ? 'failed' : 'passed']++;
    if (nesting > 0) return;
    // A hook or an import that throws fails the file, and a process that ends early all of its files, but no test.
    if (hasFailed && counts.failed === 0) counts.failed = 1;
    const file = files.includes(name) ? name : files.join(', ');
    results.push({ file, ...counts, seconds: details.duration_ms / 1000 });
    counts = { passed: 0, failed: 0, skipped: [] };
  };
  const entry = join(import.meta.dirname, 'testFiles.ts');
  // Each file has its own limit; this one is for a process that no longer counts.
  const signal = AbortSignal.timeout(LONGEST_MS * files.length);
  const place = join(mkdtempSync(join(tmpdir(), 'palaver-cpu-')), 'cpu');
  const events = run({
    files: [entry],
    argv: [...files],
    env: { ...env, [CPU_FILE]: place },
    signal,
  });
  events.on('test:pass', onEnd(false)).on('test:fail', onEnd(true));
  for await (const text of events.compose(withoutTotals).compose(new spec())) write(String(text));
  const times = takeTimes(place);
  return results.map((result, index) => ({
    ...result,
    // What the process did after its last file is that file's, too.
    cpu: (times[index + 1 === results.length ? times.length - 1 : index] ?? 0) - (times[index - 1] ?? 0),
  }));
}

/** The lines of the file with processor times, and removes its folder. */
function takeTimes(place: string): number[] {
  const text = existsSync(place) ? readFileSync(place, 'utf8') : '';
  rmSync(dirname(place), { recursive: true });
  return text.split('\n').filter(Boolean).map(Number);
}

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

/** Drops the totals that follow the tests. */
async function* withoutTotals(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event;
  }
}
