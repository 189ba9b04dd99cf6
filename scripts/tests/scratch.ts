import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux keeps files here in memory. */
const MEMORY = '/dev/shm';
/** The least room for the data of all files of tests that run at the same time, of which they use a fourth. */
const LEAST_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for what tests write, until this process ends; undefined where there is no room. A test commits some thousand
 * times, and each commit would wait for the disk.
 */
export function scratchFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < LEAST_BYTES) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'palaver-tests-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    // PostgreSQL runs as a user of its own.
    chmodSync(folder, 0o755);
    return canRunIn(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Some systems run no programs from there, and one test makes a program. */
function canRunIn(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}
