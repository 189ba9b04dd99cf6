import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '../server/src/db/postgres/index.ts';
import { createDatabase, dropDatabase, nameOf } from '../test/support/databases.ts';
import { postgresBinaries, startPostgres } from '../test/support/postgresServer.ts';
import { valkeyBinary } from '../test/support/valkeyServer.ts';
import { Coverage } from './coverage.ts';
import { type Engine, inOrder, isWaiting, suitesOn } from './suites.ts';
import { type Job, runFile } from './testFile.ts';

/**
 * `npm test`: the checks and every suite on each engine, side by side, with the coverage that they must reach. Names of
 * folders or files under test/ run those alone on the embedded engine, without checks and coverage:
 * `npm test spec faults/kill`. PALAVER_TEST_ENGINE=postgres runs all of them, or those named, on PostgreSQL. Nothing ends
 * a run early; its last line says how many tests, checks and gates of coverage passed and failed.
 */
const root = join(import.meta.dirname, '..');
const chosen = process.argv.slice(3);
const wanted = process.env.PALAVER_TEST_ENGINE as Engine | undefined;
const isWhole = chosen.length === 0;
/** The engines to run on: of suites that are named, the embedded one unless they need the other. */
const engines: Engine[] = wanted
  ? [wanted]
  : isWhole
    ? ['sqlite', 'postgres']
    : [suitesOn('sqlite', chosen).length > 0 ? 'sqlite' : 'postgres'];

/** More would ask a PostgreSQL for more connections than it has. */
const MOST_AT_ONCE = 6;
/** How many files run at the same time: of those that use the processors, and of those that wait. */
const lanes = { busy: Math.min(Math.max(availableParallelism(), 2), MOST_AT_ONCE), waiting: 2 };

/** The code that an engine's suites must reach, and how many percent of its lines. */
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

const total = { passed: 0, failed: 0 };
/** What did not pass, for the end of the output. */
const failures: string[] = [];
const skipped: string[] = [];

const say = (text: string): void => void process.stdout.write(text);

/** A database server for the suites: the one that is given, or one of their own; with the environment that tells them. */
interface Prepared {
  environment: Record<string, string>;
  close(): Promise<void>;
}

async function preparePostgres(): Promise<Prepared> {
  const given = process.env.PALAVER_TEST_DATABASE_URL;
  const own = given ? undefined : await startPostgres({ durable: false });
  const url = given || (own?.url as string);
  // Migrated once: every test that needs data of its own gets a copy.
  const template = await createDatabase(url);
  await (await openPostgres({ url: template, connections: 3 })).close();
  return {
    environment: { PALAVER_TEST_DATABASE_URL: url, PALAVER_TEST_TEMPLATE: nameOf(template) },
    async close() {
      await dropDatabase(url, template);
      await own?.close();
    },
  };
}

function count(name: string, ended: { passed: number; failed: number }, seconds: number): void {
  total.passed += ended.passed;
  total.failed += ended.failed;
  if (ended.failed > 0) failures.push(`${name}, ${ended.failed} failed`);
  const words =
    ended.failed > 0 ? `${ended.passed} passed, ${ended.failed} failed` : `${ended.passed} passed`;
  say(`${ended.failed > 0 ? 'FAILED' : 'ok'}  ${name}, ${words}, ${seconds.toFixed(1)} s\n`);
}

/** Runs the checks, and shows what they say once they are done. */
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

/** Runs a file, and shows its tests once it is done: all of them, or in a whole run those of a file that failed. */
async function runJob(job: Job, environment: Record<string, string>, isAlone: boolean): Promise<void> {
  const counts = isWhole ? mkdtempSync(join(tmpdir(), 'palaver-coverage-')) : undefined;
  let text = '';
  const write = (piece: string) => {
    if (isAlone) say(piece);
    else text += piece;
  };
  const result = await runFile(
    { ...job, file: join(root, 'test', job.file) },
    {
      ...process.env,
      // Every file and every command loads the same code.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
      ...(counts !== undefined && { NODE_V8_COVERAGE: counts }),
      PALAVER_TEST_ENGINE: job.engine,
      ...environment,
    },
    write,
  );
  if (!isAlone && (!isWhole || result.failed > 0)) say(text);
  const name = `${job.engine}  ${job.file.replace(/\.test\.ts$/, '')}`;
  count(name, result, result.seconds);
  skipped.push(...result.skipped.map((test) => `${name}: ${test}`));
  if (counts !== undefined) coverages[job.engine].addFolder(counts);
}

/** Takes one task after the other, each time the first that is left, until none is. */
async function takeTurns(tasks: (() => Promise<void>)[]): Promise<void> {
  for (let task = tasks.shift(); task; task = tasks.shift()) await task();
}

/** Holds an engine's coverage against its gate, and writes the lines that no test has reached into a file. */
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
  const jobs = engines.flatMap((engine) => suitesOn(engine, chosen).map((file) => ({ file, engine })));
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
  const prepared = possible.some(({ engine }) => engine === 'postgres') ? preparePostgres() : undefined;
  const taskOf = (job: Job) => async () => {
    const { environment } = (job.engine === 'postgres' && (await prepared)) || { environment: {} };
    await runJob(job, environment, possible.length === 1);
  };
  const busy = possible.filter(({ file }) => !isWaiting(file)).map(taskOf);
  if (isWhole && !wanted) busy.unshift(runChecks);
  const waiting = possible.filter(({ file }) => isWaiting(file)).map(taskOf);
  say(`${possible.length} files of tests, on ${engines.join(' and ')}\n`);
  try {
    await Promise.all([
      ...Array.from({ length: lanes.busy }, () => takeTurns(busy)),
      ...Array.from({ length: lanes.waiting }, () => takeTurns(waiting)),
    ]);
  } finally {
    await (await prepared)?.close();
  }
  if (isWhole) for (const engine of engines) if (canHave[engine]) checkCoverage(engine);
  const left = [...missing, ...skipped];
  if (left.length > 0) say(`not run here: ${left.join('; ')}\n`);
  if ((left.length > 0 && process.env.CI) || (missing.length > 0 && (!isWhole || wanted))) {
    total.failed++;
    failures.push('not all of it was run');
  }
  for (const failure of failures) say(`FAILED  ${failure}\n`);
  say(`${total.passed} passed, ${total.failed} failed\n`);
  if (total.failed > 0) process.exitCode = 1;
}

await runAll();
