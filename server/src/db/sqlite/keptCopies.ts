import { chmodSync, globSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { purgeIndex } from '../search/purge.ts';
import type { Report } from '../upgrade.ts';
import { SqliteConnection } from './connection.ts';
import { copyCompactly, type Progress } from './longStatement.ts';
import { makeWhole } from './partial.ts';

/** Maximum number of copies kept. */
export const MAX_COPIES = 2;
/** Number of bytes that a copy must leave free on the disk. */
const SPARE_BYTES = 256 * 1024 * 1024;
const REPORT_MS = 5_000;

/** A copy of the database from before a migration. */
export interface KeptCopy {
  /** The name by which `palaver restore` finds the copy. */
  name: string;
  path: string;
  /** The schema version of the data. */
  schema: number;
  bytes: number;
  madeAt: number;
}

/** Lists the copies in a data folder, newest first. */
export function keptCopies(folder: string): KeptCopy[] {
  const copies = globSync('before-schema-*.backup', { cwd: folder }).flatMap((name) => {
    const [, before] = /^before-schema-(\d+)\.backup$/.exec(name) ?? [];
    if (!before) return [];
    const path = join(folder, name);
    const { size: bytes, mtimeMs: madeAt } = statSync(path);
    return [{ name: basename(name, '.backup'), path, schema: Number(before) - 1, bytes, madeAt }];
  });
  return copies.sort((one, other) => other.madeAt - one.madeAt || other.schema - one.schema);
}

/**
 * Keeps a copy of the database before the migration to the schema `next`, if the disk has room, and removes
 * all but the latest `MAX_COPIES`. The copy contains neither files nor the secret key, because both stay in
 * the data folder. If it cannot be made, the reason is reported and the migration still runs.
 */
export async function keepCopy(
  file: string,
  next: number,
  report: Report = () => {},
  free = freeBytes,
): Promise<void> {
  const folder = dirname(file);
  const { size } = statSync(file);
  if (free(folder) < size + SPARE_BYTES) {
    report(
      `no copy was made before the migration: it needs ${megabytes(size + SPARE_BYTES)} MB of free disk space`,
    );
    return;
  }
  const target = join(folder, `before-schema-${next}.backup`);
  let reportAt = performance.now() + REPORT_MS;
  const progress: Progress = (done, total) => {
    if (performance.now() < reportAt) return;
    reportAt = performance.now() + REPORT_MS;
    report(`copying the database before the migration: ${Math.floor((100 * done) / total)} %`);
  };
  try {
    await makeWhole(target, (partial) => makeBackup(file, partial, progress));
    for (const { path } of keptCopies(folder).slice(MAX_COPIES)) rmSync(path, { force: true });
    report(`kept a copy before the migration: ${target} (${megabytes(statSync(target).size)} MB)`);
  } catch (error) {
    report(`no copy was made before the migration: ${(error as Error).message}`);
  }
}

/** Writes a compact, consistent copy without deleted content to a new file that only its owner can read. */
export async function makeBackup(file: string, to: string, progress: Progress): Promise<void> {
  await copyCompactly(file, to, progress);
  chmodSync(to, 0o600);
  const copy = new SqliteConnection(to, {});
  try {
    // A restored copy must start a new epoch, even if it is restored to the same location (see
    // feed/epoch.ts).
    copy.exec(`pragma synchronous = full; delete from setting where name = 'place'`);
    purgeIndex(copy);
  } finally {
    copy.close();
  }
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);
