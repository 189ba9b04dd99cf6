import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { openPostgres } from '../server/src/db/postgres/index.ts';
import { createDatabase, dropDatabase, nameOf } from '../test/support/databases.ts';
import { postgresBinaries, startPostgres } from '../test/support/postgresServer.ts';
import { valkeyBinary } from '../test/support/valkeyServer.ts';
import { type Engine, suitesOn } from './suites.ts';

/**
 * `npm test`: the checks, then every suite on each engine, with the coverage that they must reach. Names of folders or
 * files under test/ run those alone on the embedded engine, without checks and coverage: `npm test spec faults/kill`.
 * PALAVER_TEST_ENGINE=postgres runs all of them, or those named, on PostgreSQL.
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

/** Code that an engine's suites must reach, and how much of its lines. */
const coverage: Record<Engine, string[]> = {
  sqlite: [
    '--test-coverage-include=server/src/**',
    '--test-coverage-exclude=server/src/db/postgres/**',
    '--test-coverage-lines=95',
  ],
  postgres: ['--test-coverage-include=server/src/db/postgres/**', '--test-coverage-lines=90'],
};

/** Runs Node to its end, and tells whether that was a success. */
async function run(args: string[], environment: Record<string, string> = {}): Promise<boolean> {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } } as const;
  const [status] = await once(spawn(process.execPath, args, options), 'exit');
  return status === 0;
}

async function runSuites(engine: Engine, environment: Record<string, string> = {}): Promise<boolean> {
  const files = suitesOn(engine, chosen);
  if (files.length === 0) throw new Error(`there are no tests like ${chosen.join(', ')} for ${engine}`);
  process.stdout.write(`${files.length} files of tests, on ${engine}\n`);
  const measured = isWhole ? ['--experimental-test-coverage', ...coverage[engine]] : [];
  const args = ['--test', '--test-concurrency=2', ...measured, ...files];
  return run(args, { PALAVER_TEST_ENGINE: engine, ...environment });
}

/** Runs the suites on the server that is given, or on one that is started for them. */
async function runOnPostgres(given: string | undefined): Promise<boolean> {
  const own = given ? undefined : await startPostgres({ durable: false });
  const url = given || (own?.url as string);
  // Migrated once: every test that needs data of its own gets a copy.
  const template = await createDatabase(url);
  try {
    await (await openPostgres({ url: template, connections: 3 })).close();
    return await runSuites('postgres', {
      PALAVER_TEST_DATABASE_URL: url,
      PALAVER_TEST_TEMPLATE: nameOf(template),
    });
  } finally {
    await dropDatabase(url, template);
    await own?.close();
  }
}

/** Everything in turn; false as soon as something fails. What cannot be run is told at the end. */
async function runAll(): Promise<boolean> {
  const missing: string[] = [];
  if (isWhole && !wanted && !(await run(['scripts/check.ts']))) return false;
  if (engines.includes('sqlite') && !(await runSuites('sqlite'))) return false;
  if (engines.includes('postgres')) {
    const given = process.env.PALAVER_TEST_DATABASE_URL;
    if (!given && !postgresBinaries()) {
      missing.push('the suites on PostgreSQL (no PALAVER_TEST_DATABASE_URL, no programs of PostgreSQL)');
    } else if (!(await runOnPostgres(given))) return false;
    else if (!postgresBinaries()) missing.push('what stops a PostgreSQL (no programs of PostgreSQL)');
  }
  if (isWhole && !wanted && !valkeyBinary()) {
    const what = process.env.PALAVER_TEST_REDIS_URL ? 'what stops a Valkey' : 'what needs Valkey';
    missing.push(`${what} (no valkey-server, no redis-server)`);
  }
  if (missing.length > 0) process.stdout.write(`not run here: ${missing.join('; ')}\n`);
  return missing.length === 0 || (isWhole && !wanted && !process.env.CI);
}

if (!(await runAll())) process.exitCode = 1;
