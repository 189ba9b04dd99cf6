import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** A folder that Linux keeps in memory. */
const MEMORY = '/dev/shm';
/** Minimum space for the data of all concurrent test files. They use a quarter of it. */
const LEAST_BYTES = 4 * 2 ** 30;

/**
 * An in-memory folder for the files that tests write. It is deleted when this process ends. Undefined if
 * there is not enough space. Tests commit several thousand times, and each commit would wait for the disk.
 */
export function scratchFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < LEAST_BYTES) return undefined;
    const folder = mkdtempSync(join(MEMORY, 'palaver-tests-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    // PostgreSQL runs as a different user, which needs access.
    chmodSync(folder, 0o755);
    return canRunIn(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True if programs in a folder can run. Some systems forbid it for folders in memory, and one test creates a
 * program.
 */
function canRunIn(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  return spawnSync(program).status === 0;
}
