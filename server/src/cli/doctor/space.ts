import { statfsSync } from 'node:fs';
import { attempt, type Finding } from './finding.ts';

/** Free space below this is reported, even if no changes are rejected yet. */
const MIN_FREE_BYTES = 512 * 1024 * 1024;

/**
 * Checks the free space on the disk of a folder. `leastMegabytes` is the setting below which the server
 * rejects changes.
 */
export const examineSpace = (check: string, folder: string, leastMegabytes: number): Promise<Finding> =>
  attempt(check, () => {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const amount = `${Math.round(free / 2 ** 20)} MiB are free on the disk of ${folder}`;
    if (free < leastMegabytes * 1_000_000)
      throw new Error(
        `only ${amount}: changes are rejected below ${leastMegabytes} MB (PALAVER_MIN_FREE_MEGABYTES)`,
      );
    if (free < MIN_FREE_BYTES) throw new Error(`only ${amount}`);
    return `${Math.round(free / 2 ** 30)} GiB are free on the disk of ${folder}`;
  });
