import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBinaries } from '../test/support/postgresServer.ts';
import { valkeyBinary } from '../test/support/valkeyServer.ts';
import { bundleInPlace } from './bundle.ts';
import { type Choice, choose } from './tests/choice.ts';
import { Coverage } from './tests/coverage.ts';
import { cpuSeconds } from './tests/cpu.ts';
import { installGenerators } from './tests/generators.ts';
import { type Result, runJob } from './tests/job.ts';
import { inLanes } from './tests/lanes.ts';
import { optionsOf } from './tests/options.ts';
import { prepareDataFile, preparePostgres } from './tests/prepared.ts';
import { repeated } from './tests/repeat.ts';
import { scratchFolder } from './tests/scratch.ts';
import { type Engine, isMeasured, type Job, needsGenerators } from './tests/suites.ts';
import { gates, say, Tally } from './tests/tally.ts';

/**
 * `npm test` runs the checks and the test files affected by changes since they last passed, on both engines, in
 * parallel. With `--all` or CI=true it runs every file, and enforces the coverage gates. With names of folders or
 * files under test/ (`npm test spec/keys faults/kill`), it runs only those, on the embedded engine if they support it,
 * without checks. PALAVER_TEST_ENGINE=postgres selects PostgreSQL. The run always completes; its last line counts the
 * passed and failed tests, checks and gates. If only a few files failed in parallel, they are retried alone. If they
 * pass then, they are reported as flaky.
 */
const root = join(import.meta.dirname, '..');
const options = optionsOf(process.argv.slice(3), process.env);
const isNamed = options.names.length > 0;
/** CI runs every file, and uses its checkout only once. */
const keepsRecords = !process.env.CI;

// The temporary folder of this process and its children. A folder that the caller has set is used instead.
const scratch = process.env.TMPDIR ? undefined : scratchFolder();
if (scratch !== undefined) process.env.TMPDIR = scratch;

const { engines, jobs, isWhole, why, records, at } = chosen();
const tally = new Tally();
const coverages = new Map(engines.map((engine) => [engine, new Coverage(root, gates[engine].includes)]));
/** CPU seconds that the system does not attribute to this process. */
let unseen = 0;
/**
 * Files that failed in parallel and will be retried. If a process ended early, all of its files are one job.
 */
const failedFirst: Job[] = [];
/** If more jobs than this failed, none are retried, because the failures are probably not flaky. */
const MAX_SECOND_RUNS = 8;

/** The files to run. If a name matches no file, the run ends with status 2. */
function chosen(): Choice {
  try {
    return choose(root, options);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** Runs the checks and prints their output once they are done. */
async function runChecks(): Promise<void> {
  const start = performance.now();
  const child = spawn(process.execPath, ['scripts/check.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const [status] = await once(child, 'close');
  say(output);
  const failed = status === 0 ? 0 : 1;
  tally.add('the checks', { passed: 1 - failed, failed }, (performance.now() - start) / 1000);
}

/** Runs the files of a job in one process and prints their tests, immediately if nothing else is running. */
async function run(job: Job, given: Record<string, string>): Promise<Result[]> {
  const counts = isWhole ? mkdtempSync(join(tmpdir(), 'palaver-coverage-')) : undefined;
  const isAlone = jobs.length === 1 && options.repeat === 1;
  let text = '';
  const environment = {
    ...process.env,
    // All processes share one cache, because all files and commands load the same code.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
    PALAVER_TEST_ENGINE: job.engine,
    ...(counts !== undefined && { TEST_COUNTS: counts }),
    ...(!keepsRecords && { TEST_RECORDS: 'none' }),
    ...(!(isWhole && isMeasured(job)) && { PALAVER_TEST_PROGRAM: await program }),
    ...given,
  };
  const results = await runJob(job, environment, (piece) => {
    if (isAlone) say(piece);
    else text += piece;
  });
  const hasFailed = results.some(({ failed }) => failed > 0);
  if (!isAlone && (hasFailed || (isNamed && options.repeat === 1))) say(text);
  if (counts !== undefined) coverages.get(job.engine)?.addFolder(counts);
  for (const result of results) unseen += result.unseen;
  return results;
}

/** Counts and records a job's results. With `mayRunAgain`, files that failed are not counted yet. */
function take(job: Job, results: readonly Result[], mayRunAgain: boolean): void {
  for (const { file, ...result } of results) {
    const { seconds, cpu, called, functions, read } = result;
    const key = `${job.engine} ${file}`;
    if (result.failed === 0 && result.skipped.length === 0)
      records.set(key, { at, seconds, cpu, called, functions, read });
    else for (const each of file.split(', ')) records.delete(`${job.engine} ${each}`);
    if (mayRunAgain && result.failed > 0) {
      say(`failed at first  ${job.engine}  ${file}\n`);
      failedFirst.push({ engine: job.engine, files: file.split(', ') });
      continue;
    }
    const name = `${job.engine}  ${file.replaceAll('.test.ts', '')}`;
    tally.add(name, result, seconds, cpu);
    tally.skipped.push(...result.skipped.map((test) => `${name}: ${test}`));
  }
  if (keepsRecords) records.save();
}

/** Retries the files that failed in parallel, one at a time, unless there are many. */
async function runAgain(runAlone: (job: Job) => Promise<void>): Promise<void> {
  const again = failedFirst.flatMap(({ engine, files }) => files.map((file) => ({ engine, files: [file] })));
  if (failedFirst.length > MAX_SECOND_RUNS) {
    for (const { engine, files } of again)
      tally.add(`${engine}  ${files.join()}`, { passed: 0, failed: 1 }, 0);
    return;
  }
  for (const job of again) {
    const before = tally.failed;
    await runAlone(job);
    if (tally.failed === before) tally.flaky.push(`${job.engine}  ${job.files.join()}`);
  }
}

/** Lists the suites that cannot run on this machine. Without PostgreSQL, none of its suites run. */
function missing(canHave: Record<Engine, boolean>): string[] {
  const names: string[] = [];
  if (engines.includes('postgres')) {
    if (!canHave.postgres)
      names.push(
        'the suites on PostgreSQL (PALAVER_TEST_DATABASE_URL is not set, and PostgreSQL is not installed)',
      );
    else if (!postgresBinaries()) names.push('tests that stop PostgreSQL (PostgreSQL is not installed)');
  }
  if (!isNamed && !options.engine && !valkeyBinary()) {
    const what = process.env.PALAVER_TEST_REDIS_URL ? 'tests that stop Valkey' : 'tests that need Valkey';
    names.push(`${what} (no valkey-server or redis-server)`);
  }
  return names;
}

const canHave = {
  sqlite: true,
  postgres: Boolean(process.env.PALAVER_TEST_DATABASE_URL || postgresBinaries()),
};
const possible = jobs.filter(({ engine }) => canHave[engine]);
const isOn = (one: Engine) => possible.some(({ engine }) => engine === one);
say(`${why}\n`);
const prepared = {
  sqlite: isOn('sqlite') ? prepareDataFile() : undefined,
  postgres: isOn('postgres') ? preparePostgres() : undefined,
};
// Waits for all preparations even if one failed, because a PostgreSQL process could outlive the run. The tests
// that need the preparation report the failure.
const allPrepared = Promise.allSettled(Object.values(prepared));
/** The script that starts the bundled program. */
const program =
  possible.length > 0 ? bundleInPlace(join(root, 'node_modules', '.cache', 'palaver', 'program')) : undefined;
// Runs in parallel with the first files, which take longer.
const generators = possible.some(needsGenerators) ? installGenerators() : undefined;
const runPrepared = async (job: Job): Promise<Result[]> => {
  if (needsGenerators(job) && (await generators) !== undefined) return [];
  return run(job, (await prepared[job.engine])?.environment ?? {});
};
const taskOf = (job: Job) => async () => take(job, await runPrepared(job), !isNamed);

try {
  if (options.repeat > 1) {
    for (const job of possible) await repeated(job, options, () => runPrepared(job), tally);
  } else {
    const busy = possible.filter(({ waits }) => !waits).map(taskOf);
    if (!isNamed && !options.engine) busy.unshift(runChecks);
    await inLanes(busy, possible.filter(({ waits }) => waits).map(taskOf));
    await runAgain(async (job) => take(job, await runPrepared(job), false));
  }
} finally {
  for (const each of await allPrepared) if (each.status === 'fulfilled') await each.value?.close();
}
if (isWhole)
  for (const [engine, coverage] of coverages)
    if (canHave[engine]) tally.addCoverage(root, engine, coverage, gates[engine]);
const reason = await generators;
const left = [
  ...missing(canHave),
  ...(reason === undefined ? [] : [`the suites in generators/ (${reason})`]),
];
tally.skipped.unshift(...left);
if ((tally.skipped.length > 0 && process.env.CI) || (left.length > 0 && (isNamed || options.engine)))
  tally.fail('some tests did not run');
tally.end(cpuSeconds().all + unseen);
