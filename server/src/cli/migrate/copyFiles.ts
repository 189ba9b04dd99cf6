import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  globSync,
  openSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { makeFolder } from '../../lib/folder.ts';
import type { TellStep } from '../terminal.ts';
import type { DataLocation } from './location.ts';

/**
 * Returns the folder with the uploaded files for the data at a location. Undefined if the settings name a
 * location that both sides share.
 */
function filesOf({ files, data }: Config, place: DataLocation): string | undefined {
  return files === '' ? resolve('folder' in place ? place.folder : data, 'files') : undefined;
}

/**
 * Copies uploaded files between data folders. Files never change, so files that already exist with the same
 * size are kept.
 */
export function copyFiles(config: Config, from: DataLocation, to: DataLocation, tell: TellStep): void {
  const [source, target] = [filesOf(config, from), filesOf(config, to)];
  if (source === undefined || target === undefined || source === target) return;
  let copied = 0;
  for (const path of globSync('??/*', { cwd: source })) {
    const [ours, theirs] = [join(source, path), join(target, path)];
    if (statSync(theirs, { throwIfNoEntry: false })?.size === statSync(ours).size) continue;
    makeFolder(dirname(theirs), 0o700);
    copyFileSync(ours, `${theirs}.partial`, constants.COPYFILE_FICLONE);
    // Sync before the rename. Otherwise, after a power failure, an incomplete file with the right length
    // could be mistaken for a complete copy.
    sync(`${theirs}.partial`);
    renameSync(`${theirs}.partial`, theirs);
    sync(dirname(theirs));
    tell(`copying files: ${++copied}`);
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
