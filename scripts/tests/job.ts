import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { type Done, NOTES_FILE, type Notes } from './notes.ts';
import { type Job, killsProcesses } from './suites.ts';

/** Timeout per file. The slowest files take two minutes on a heavily loaded machine. */
const LONGEST_MS = 600_000;
/** Grace period after the timeout, in which a file can fail on its own and name the test that hangs. */
const GRACE_MS = 10_000;

const watch = import.meta.resolve('./watch.js');

/** A young generation of fixed size in V8 saves a tenth of the CPU time of most files. */
const YOUNG = '--min-semi-space-size=16';

/** The result of a test file, or of a process that ended before its files did. */
export interface Result {
  /** The file's path below test/. */
  file: string;
  passed: number;
  failed: number;
  /** The tests that were skipped, each with the reason. */
  skipped: string[];
  seconds: number;
  /** CPU seconds of the file's process and its children; 0 if the system does not report them. */
  cpu: number;
  /** Seconds in `cpu` that the system does not attribute to the runner. */
  unseen: number;
  /** The files with functions that ran, as in `Passed`. */
  called: string[];
  functions: string[];
  read: string[];
}

/** The part of a result that the test reporter's events contain. */
type Counted = Omit<Result, 'cpu' | 'unseen' | keyof Done>;

/**
 * Runs the files of a job in their own process. `write` receives the spec reporter's output: every test, the
 * process's output, and each failure in full. A file fails after a timeout of `longest` milliseconds. A
 * process in an endless loop cannot notice the timeout, so it is killed, and its remaining files do not run.
 * With `stopsAtFailure`, the first failed test ends the process, and its file is the last result.
 */
export async function runJob(
  job: Job,
  env: NodeJS.ProcessEnv,
  write: (text: string) => void,
  { longest = LONGEST_MS, stopsAtFailure = false }: { longest?: number; stopsAtFailure?: boolean } = {},
): Promise<Result[]> {
  const { files } = job;
  const results: Counted[] = [];
  let counts = { passed: 0, failed: 0, skipped: [] as string[] };
  const onEnd = (hasFailed: boolean) => (ended: Ended) => {
    const { name, nesting, skip, details } = ended;
    if (ending.signal.aborted && stopsAtFailure) return;
    if (skip !== undefined) counts.skipped.push(`${name} (${skip})`);
    else if (nesting > 0 && details.type === 'test') counts[hasFailed ? 'failed' : 'passed']++;
    if (hasFailed && stopsAtFailure) {
      const [file = files.join(', ')] = files.slice(results.length);
      results.push({ file, ...counts, failed: Math.max(1, counts.failed), seconds: 0 });
      return ending.abort();
    }
    if (nesting > 0) return;
    // This result is for the process itself: a hanging test kept it alive after all of its files had ended.
    if (!files.includes(name) && results.length === files.length && results.some(({ failed }) => failed > 0))
      return;
    // If a hook or import throws, the file fails but no test does. If a process ends early, all of its files fail.
    if (hasFailed && counts.failed === 0) counts.failed = 1;
    const file = files.includes(name) ? name : files.join(', ');
    clearTimeout(deadline);
    deadline = setTimeout(bark, longest + GRACE_MS);
    results.push({ file, ...counts, seconds: details.duration_ms / 1000 });
    counts = { passed: 0, failed: 0, skipped: [] };
  };
  const entry = join(import.meta.dirname, 'files.ts');
  const ending = new AbortController();
  const bark = () => {
    const [hanging = `the process of ${files.join(', ')}`] = files.slice(results.length);
    write(`${hanging} was killed: no result for ${(longest + GRACE_MS) / 1000} s\n`);
    ending.abort();
  };
  let deadline = setTimeout(bark, longest + GRACE_MS);
  const folder = mkdtempSync(join(tmpdir(), 'palaver-notes-'));
  const place = join(folder, 'notes');
  const events = run({
    files: [entry],
    argv: [String(longest), ...files],
    execArgv: [YOUNG],
    env: environmentOf(job, env, { folder, place }),
    signal: ending.signal,
  });
  events.on('test:pass', onEnd(false)).on('test:fail', onEnd(true));
  for await (const text of events.compose(withoutTotals).compose(new spec())) write(String(text));
  clearTimeout(deadline);
  const notes = notesIn(place);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  return withNotes(results, notes);
}

/** Returns the environment of a job's process, which writes its notes to `place`. */
const environmentOf = (
  job: Job,
  env: NodeJS.ProcessEnv,
  { folder, place }: { folder: string; place: string },
): NodeJS.ProcessEnv => ({
  ...env,
  NODE_OPTIONS: `${env.NODE_OPTIONS ?? ''} --import=${watch}`.trim(),
  TEST_NOTES: folder,
  ...(killsProcesses(job) && { TEST_KILLS: 'yes' }),
  TEST_NOTES_OWNER: String(process.pid),
  [NOTES_FILE]: place,
});

const notesIn = (file: string): Notes[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** Adds what a process noted after each of its files to the files' results. */
function withNotes(results: readonly Counted[], notes: readonly Notes[]): Result[] {
  return results.map((result, index) => {
    // The last file includes the time that its process takes to end.
    const [to, from] = [notes[index + 1 === results.length ? notes.length - 1 : index], notes[index - 1]];
    const since = (kind: 'cpu' | 'unseen') => (to?.[kind] ?? 0) - (from?.[kind] ?? 0);
    const { called = [], functions = [], read = [] } = notes[index] ?? {};
    return { ...result, called, functions, read, cpu: since('cpu'), unseen: since('unseen') };
  });
}

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];

/** Filters out the totals that the test runner reports at the end. */
async function* withoutTotals(events: AsyncIterable<TestEvent>): AsyncGenerator<TestEvent> {
  for await (const event of events) {
    if (event.type !== 'test:diagnostic' || event.data.file !== undefined) yield event;
  }
}
