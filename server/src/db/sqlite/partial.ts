import { globSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { syncFolder } from '../../lib/folder.ts';

/**
 * Creates a file that appears only once it is complete and durable: `make` writes it under a temporary name
 * and syncs it. On failure, and on SIGINT and SIGTERM, that file is removed. If a process was killed, the
 * next one removes the file that it left behind.
 */
export async function makeWhole(file: string, make: (partial: string) => Promise<void>): Promise<void> {
  const target = resolve(file);
  removeAbandoned(target);
  const partial = `${target}.${process.pid}.partial`;
  const remove = () => {
    for (const rest of ['', '-journal', '-wal', '-shm', '-compact']) rmSync(partial + rest, { force: true });
  };
  const stop = () => {
    remove();
    process.exit(1);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  try {
    await make(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    remove();
  }
}

function removeAbandoned(target: string): void {
  const folder = dirname(target);
  for (const name of globSync('*.partial*', { cwd: folder })) {
    const [, of, pid] = /^(.*)\.(\d+)\.partial(-\w+)?$/.exec(name) ?? [];
    if (of === basename(target) && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
