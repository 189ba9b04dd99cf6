import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaVersion } from '../../server/src/db/version.ts';
import { ask, nameOf } from '../../test/support/databases.ts';
import { CLUSTER, type PostgresServer, startPostgres } from '../../test/support/postgresServer.ts';
import { say } from '../report.ts';
import { amountsAt, type Community, makeCommunity } from './data.ts';

/** Part of the name of the cached data. Increase it when `data.ts` writes different rows. */
const FORMAT = 1;

/** A community on one engine, in a copy of the cached data. */
export interface Stage extends Community {
  /** `SQLite` or `PostgreSQL`. */
  engine: string;
  folder: string;
  /** The database URL; empty for the embedded engine. */
  database: string;
}

/** The folder in which data is cached between runs. */
const keptIn = (): string => process.env.BENCH_DATA || join(tmpdir(), 'palaver-crowd');

/**
 * The cached data with this name and the newest schema that this version can migrate. Undefined if there is
 * none.
 */
function newestKept(stem: string): string | undefined {
  for (let version = schemaVersion; version > 0; version--)
    if (existsSync(join(keptIn(), `${stem}${version}`))) return join(keptIn(), `${stem}${version}`);
  return undefined;
}

/** Copies a community of this size, creating it on the first run, and removes the copy at the end. */
export async function withCommunity(
  isOnPostgres: boolean,
  size: number,
  use: (stage: Stage) => Promise<void>,
): Promise<void> {
  const engine = isOnPostgres ? 'PostgreSQL' : 'SQLite';
  const stem = `${engine}-size${size}-format${FORMAT}-schema`;
  const kept = newestKept(stem) ?? join(keptIn(), `${stem}${schemaVersion}`);
  if (!existsSync(kept)) {
    say(`Creating ${kept}, which later runs reuse…`);
    await make(kept, isOnPostgres, size);
  }
  const known: Community & { name: string } = JSON.parse(readFileSync(join(kept, 'community.json'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  let postgres: PostgresServer | undefined;
  try {
    execFileSync('cp', ['-r', '--reflink=auto', `${join(kept, 'data')}/.`, folder]);
    if (isOnPostgres) postgres = await startCopy(join(kept, 'cluster'));
    const database = postgres ? Object.assign(new URL(postgres.url), { pathname: known.name }).href : '';
    await use({ ...known, engine, folder, database });
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startCopy(cluster: string): Promise<PostgresServer> {
  const before = process.env[CLUSTER];
  process.env[CLUSTER] = cluster;
  try {
    return await startPostgres({ durable: true });
  } finally {
    if (before === undefined) delete process.env[CLUSTER];
    else process.env[CLUSTER] = before;
  }
}

/** Creates the data in a temporary folder, which is renamed once it is complete. */
async function make(kept: string, isOnPostgres: boolean, size: number): Promise<void> {
  const folder = `${kept}.${process.pid}`;
  mkdirSync(join(folder, 'data'), { recursive: true });
  let postgres: PostgresServer | undefined;
  try {
    postgres = isOnPostgres ? await startPostgres({ durable: false }) : undefined;
    const database = (await postgres?.createDatabase()) ?? '';
    const made = await makeCommunity({ data: join(folder, 'data'), database }, amountsAt(size));
    const name = database && nameOf(database);
    if (postgres) {
      await ask(database, 'vacuum analyze');
      const [{ place } = { place: '' }] = await ask<{ place: string }>(
        database,
        `select current_setting('data_directory') as place`,
      );
      await postgres.stop('fast');
      execFileSync('cp', ['-a', place, join(folder, 'cluster')]);
    }
    writeFileSync(join(folder, 'community.json'), JSON.stringify({ ...made, name }), { mode: 0o600 });
    if (!existsSync(kept)) renameSync(folder, kept);
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
