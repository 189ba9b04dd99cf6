import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Maximum age of a measurement, in ms. */
const MAX_AGE_MS = 1_000;

/** Thrown if the disk is full or nearly full. The message is for the operator. */
export class DiskFull extends Error {}

/** A function that returns the free bytes on the disk of a folder, which may not exist yet. */
export type Measure = (folder: string) => Promise<number>;

const freeIn: Measure = async (folder) => {
  for (let place = folder; ; place = dirname(place)) {
    try {
      const { bavail, bsize } = await statfs(place);
      return bavail * bsize;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT' || dirname(place) === place) throw error;
    }
  }
};

interface DiskSpaceOptions {
  /** The folder; undefined if Palaver cannot measure its disk, which then never counts as full. */
  folder: string | undefined;
  /**
   * Minimum number of free bytes, which leaves space for deletions and other processes. 0 turns the check
   * off.
   */
  leastBytes: number;
  /** Measures the free bytes. Defaults to asking the operating system. */
  measure?: Measure | undefined;
}

/**
 * Checks the free space on the disk of a folder. Changes are rejected before the disk is full, because the
 * database must still be able to write checkpoints and deletions. The space is measured at most once a
 * second, and only on demand.
 */
export class DiskSpace {
  readonly #folder: string | undefined;
  readonly #leastBytes: number;
  readonly #measure: Measure;
  #free = Number.POSITIVE_INFINITY;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #measuring: Promise<void> | undefined;
  /** Bytes that are expected to be written. */
  #reserved = 0;

  constructor({ folder, leastBytes, measure = freeIn }: DiskSpaceOptions) {
    this.#folder = folder;
    this.#leastBytes = leastBytes;
    this.#measure = measure;
  }

  /** Returns the free bytes; Infinity if unknown. */
  async free(): Promise<number> {
    await this.#current();
    return this.#free;
  }

  /** Throws `DiskFull` if less than the minimum is free. Synchronous if there is a recent measurement. */
  requireRoom(): void | Promise<void> {
    if (!this.#isChecked) return;
    const measuring = this.#current();
    return measuring ? measuring.then(() => this.#require(0)) : this.#require(0);
  }

  /**
   * Reserves bytes that will be written, until the returned function is called. Throws `DiskFull` if less
   * than the minimum would stay free.
   */
  async reserve(bytes: number): Promise<() => void> {
    if (!this.#isChecked) return () => {};
    await this.#current();
    this.#require(bytes);
    this.#reserved += bytes;
    return () => {
      this.#reserved -= bytes;
    };
  }

  get #isChecked(): boolean {
    return this.#folder !== undefined && this.#leastBytes > 0;
  }

  #require(bytes: number): void {
    if (this.#free - this.#reserved - bytes >= this.#leastBytes) return;
    const megabytes = Math.floor(this.#free / 1_000_000);
    throw new DiskFull(`only ${megabytes} MB are free on the disk of ${this.#folder}`);
  }

  #current(): Promise<void> | undefined {
    const folder = this.#folder;
    if (folder === undefined || performance.now() - this.#measuredAt < MAX_AGE_MS) return undefined;
    this.#measuring ??= this.#measure(folder)
      // A disk that cannot be measured is assumed to have space. If it has none, the write itself will fail.
      .catch(() => Number.POSITIVE_INFINITY)
      .then((free) => {
        this.#free = free;
        this.#measuredAt = performance.now();
        this.#measuring = undefined;
      });
    return this.#measuring;
  }
}

/** The free space on the disks that requests can fill. */
export interface Disks {
  data: DiskSpace;
  files: DiskSpace;
}

/** Whether changes are rejected because one of the disks is nearly full. */
export async function isNearlyFull(disks: Disks): Promise<boolean> {
  const rooms = await Promise.allSettled(Object.values(disks).map(async (disk) => disk.requireRoom()));
  return rooms.some(({ status }) => status === 'rejected');
}
