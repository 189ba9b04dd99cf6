import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBinaries } from '../test/support/postgresServer.ts';
import { valkeyBinary } from '../test/support/valkeyServer.ts';
import { bundleInPlace } from './bundle.ts';
import { Coverage } from './coverage.ts';
import { cpuSeconds, untilIdle } from './cpu.ts';
import { installGenerators } from './generators.ts';
import { prepareDataFile, preparePostgres } from './prepared.ts';
import { scratchFolder } from './scratch.ts';
import {
  countsServers,
  type Engine,
  inOrder,
  isCounted,
  isWaiting,
  type Job,
  jobsOn,
  needsGenerators,
  startsProgram,
} from './suites.ts';
import { runJob } from './testJob.ts';

/**
 * `npm test`: all checks, and every suite on each engine, in parallel, with the required coverage. With names of
 * folders or files under test/ (`npm test spec faults/kill`), only those run, on the embedded engine, without checks
 * and coverage. PALAVER_TEST_ENGINE=postgres selects PostgreSQL. The run always goes to its end; its last line counts
 * the tests, checks and coverage gates that passed and failed. In a whole run, a few files that failed beside others run
 * once more, alone: they must pass then, and the run names them.
 */
const root = join(import.meta.dirname, '..');
const chosen = process.argv.slice(3);
const wanted = process.env.PALAVER_TEST_ENGINE as Engine | undefined;
const isWhole = chosen.length === 0;
/** The engines to run on. Named suites run on the embedded engine if any of them can. */
const engines: Engine[] = wanted
  ? [wanted]
  : isWhole
    ? ['sqlite', 'postgres']
    : [jobsOn('sqlite', chosen).length > 0 ? 'sqlite' : 'postgres'];

// For this process and all that it starts. A place that the caller has chosen stays.
const scratch = process.env.TMPDIR ? undefined : scratchFolder();
if (scratch !== undefined) process.env.TMPDIR = scratch;

/** A bound on files at the same time: more would need more connections than PostgreSQL allows. */
const MAX_BUSY_FILES = 6;
/**
 * The number of files that run at the same time: files that use the CPU, and files that mostly wait. Once none of these is left, one of
 * their lanes goes on with the others, and the second does so whenever processors are idle.
 */
const lanes = { busy: Math.min(Math.max(availableParallelism(), 2), MAX_BUSY_FILES), waiting: 2 };

/** The code that an engine's suites must cover, and the least percentage of lines. */
const gates: Record<Engine, { least: number; what: string; includes(file: string): boolean }> = {
  sqlite: {
    least: 95,
    what: 'server/src on the embedded engine',
    includes: (file) => file.startsWith('server/src/') && !file.startsWith('server/src/db/postgres/'),
  },
  postgres: {
    least: 90,
    what: 'server/src/db/postgres',
    includes: (file) => file.startsWith('server/src/db/postgres/'),
  },
};
const coverages = Object.fromEntries(
  engines.map((engine) => [engine, new Coverage(root, gates[engine].includes)]),
) as Record<Engine, Coverage>;

const total = { passed: 0, failed: 0, unseen: 0 };
/** Everything that failed, to print at the end. */
const failures: string[] = [];
const skipped: string[] = [];
/** Files that failed beside others in a whole run, and run once more; all of a process that ended early are one. */
const failedFirst: Job[] = [];
/** The files of `failedFirst` that passed alone. */
const unsteady: string[] = [];
/** More failures than this are no accident: none runs again. */
const MAX_SECOND_RUNS = 8;

/** The script that starts the program from a bundle, for files that start it. */
let program: Promise<string> | undefined;
const say = (text: string): void => void process.stdout.write(text);

function count(name: string, ended: { passed: number; failed: number }, seconds: number, cpu = 0): void {
  total.passed += ended.passed;
  total.failed += ended.failed;
  if (ended.failed > 0) failures.push(`${name}, ${ended.failed} failed`);
  const words =
    ended.failed > 0 ? `${ended.passed} passed, ${ended.failed} failed` : `${ended.passed} passed`;
  say(
    `${ended.failed > 0 ? 'FAILED' : 'ok'}  ${name}, ${words}, ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s\n`,
  );
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
  count('the checks', { passed: 1 - failed, failed }, (performance.now() - start) / 1000);
}

/**
 * Runs files and prints their tests once all are done; in a whole run, only if one failed. With `mayRunAgain`, failed files
 * are not counted yet.
 */
async function take(
  job: Job,
  environment: Record<string, string>,
  isAlone: boolean,
  mayRunAgain: boolean,
): Promise<void> {
  const counts = isWhole && isCounted(job) ? mkdtempSync(join(tmpdir(), 'palaver-coverage-')) : undefined;
  const script = startsProgram(job) && !(isWhole && countsServers(job)) ? await program : undefined;
  let text = '';
  const write = (piece: string) => {
    if (isAlone) say(piece);
    else text += piece;
  };
  const results = await runJob(
    job,
    {
      ...process.env,
      // All files and commands load the same code.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
      ...(counts !== undefined && { NODE_V8_COVERAGE: counts }),
      ...(script !== undefined && { PALAVER_TEST_PROGRAM: script }),
      PALAVER_TEST_ENGINE: job.engine,
      ...environment,
    },
    write,
  );
  if (!isAlone && (!isWhole || results.some(({ failed }) => failed > 0))) say(text);
  for (const { file, seconds, cpu, unseen, ...result } of results) {
    total.unseen += unseen;
    if (mayRunAgain && result.failed > 0) {
      say(`failed at first  ${job.engine}  ${file}\n`);
      // One, or all of a process that ended before its files did.
      failedFirst.push({ engine: job.engine, files: file.split(', ') });
      continue;
    }
    const name = `${job.engine}  ${file.replaceAll('.test.ts', '')}`;
    count(name, result, seconds, cpu);
    skipped.push(...result.skipped.map((test) => `${name}: ${test}`));
  }
  if (counts !== undefined) coverages[job.engine].addFolder(counts);
}

type Task = () => Promise<void>;

/** Runs the tasks one after the other, each time the first that is left, once `mayBegin` has resolved. */
async function takeTurns(tasks: Task[], mayBegin = async (): Promise<void> => {}): Promise<void> {
  while (tasks.length > 0) {
    await mayBegin();
    await tasks.shift()?.();
  }
}

/** Runs the files that failed beside others once more, one after the other, unless they are many. */
async function runAgain(takeAgain: (job: Job) => Promise<void>): Promise<void> {
  const jobs = failedFirst.flatMap(({ engine, files }) => files.map((file) => ({ engine, files: [file] })));
  if (failedFirst.length > MAX_SECOND_RUNS) {
    for (const { engine, files } of jobs) count(`${engine}  ${files.join()}`, { passed: 0, failed: 1 }, 0);
    return;
  }
  for (const job of jobs) {
    const before = total.failed;
    await takeAgain(job);
    if (total.failed === before) unsteady.push(`${job.engine}  ${job.files.join()}`);
  }
}

/** Checks an engine's coverage against its gate, and writes the lines that no test has run to a file. */
function checkCoverage(engine: Engine): void {
  const { least, what } = gates[engine];
  const percent = coverages[engine].percent;
  const file = join('coverage', `${engine}.txt`);
  mkdirSync(join(root, 'coverage'), { recursive: true });
  writeFileSync(
    join(root, file),
    coverages[engine]
      .missed()
      .map((line) => `${line}\n`)
      .join(''),
  );
  const isEnough = percent >= least;
  total[isEnough ? 'passed' : 'failed']++;
  const line = `coverage of ${what}: ${percent.toFixed(2)} % of the lines, at least ${least} %; the others are in ${file}`;
  if (!isEnough) failures.push(line);
  say(`${isEnough ? 'ok' : 'FAILED'}  ${line}\n`);
}

async function runAll(): Promise<void> {
  const missing: string[] = [];
  const jobs = engines.flatMap((engine) => jobsOn(engine, chosen));
  if (jobs.length === 0)
    throw new Error(`there are no tests like ${chosen.join(', ')} for ${engines.join()}`);
  const canHave = {
    sqlite: true,
    postgres: Boolean(process.env.PALAVER_TEST_DATABASE_URL || postgresBinaries()),
  };
  if (engines.includes('postgres')) {
    if (!canHave.postgres) {
      missing.push('the suites on PostgreSQL (no PALAVER_TEST_DATABASE_URL, no programs of PostgreSQL)');
    } else if (!postgresBinaries()) missing.push('what stops a PostgreSQL (no programs of PostgreSQL)');
  }
  if (isWhole && !wanted && !valkeyBinary()) {
    const what = process.env.PALAVER_TEST_REDIS_URL ? 'what stops a Valkey' : 'what needs Valkey';
    missing.push(`${what} (no valkey-server, no redis-server)`);
  }

  const possible = inOrder(jobs.filter(({ engine }) => canHave[engine]));
  const prepared = {
    sqlite: possible.some(({ engine }) => engine === 'sqlite') ? prepareDataFile() : undefined,
    postgres: possible.some(({ engine }) => engine === 'postgres') ? preparePostgres() : undefined,
  };
  // Also where one could not be prepared, which those who wait for it hear: a PostgreSQL would go on without the run.
  const allPrepared = Promise.allSettled(Object.values(prepared));
  if (possible.some(startsProgram))
    program = bundleInPlace(join(root, 'node_modules', '.cache', 'palaver', 'program'));
  // Beside the first files, which take longer.
  const generators = possible.some(needsGenerators) ? installGenerators() : undefined;
  const takePrepared = async (job: Job, mayRunAgain: boolean) => {
    if (needsGenerators(job) && (await generators) !== undefined) return;
    const { environment } = (await prepared[job.engine]) ?? { environment: {} };
    await take(job, environment, possible.length === 1, mayRunAgain);
  };
  const taskOf = (job: Job) => () => takePrepared(job, isWhole);
  const busy = possible.filter((job) => !isWaiting(job)).map(taskOf);
  if (isWhole && !wanted) busy.unshift(runChecks);
  const waiting = possible.filter(isWaiting).map(taskOf);
  const number = possible.reduce((sum, { files }) => sum + files.length, 0);
  say(`${number} files of tests, on ${engines.join(' and ')}\n`);
  try {
    await Promise.all([
      ...Array.from({ length: lanes.busy }, () => takeTurns(busy)),
      ...Array.from({ length: lanes.waiting }, async (_, lane) => {
        await takeTurns(waiting);
        // A file that uses the CPU also waits now and then.
        await takeTurns(busy, lane === 0 ? undefined : () => untilIdle(() => busy.length === 0));
      }),
    ]);
    await runAgain((job) => takePrepared(job, false));
  } finally {
    for (const each of await allPrepared) if (each.status === 'fulfilled') await each.value?.close();
  }
  if (isWhole) for (const engine of engines) if (canHave[engine]) checkCoverage(engine);
  const reason = await generators;
  if (reason !== undefined) missing.push(`the suites of generators/ (${reason})`);
  const left = [...missing, ...skipped];
  if (left.length > 0) say(`not run here: ${left.join('; ')}\n`);
  if ((left.length > 0 && process.env.CI) || (missing.length > 0 && (!isWhole || wanted))) {
    total.failed++;
    failures.push('not all of it was run');
  }
  for (const name of unsteady) say(`unsteady: failed beside others, passed alone  ${name}\n`);
  for (const failure of failures) say(`FAILED  ${failure}\n`);
  const cpu = cpuSeconds().all + total.unseen;
  if (cpu > 0) say(`CPU ${cpu.toFixed()} s in all\n`);
  say(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0) process.exitCode = 1;
}

await runAll();
