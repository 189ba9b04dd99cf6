import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type ByteRange, type FileStore, isNoSpace, NotStored, StoreError, StoreFull } from './store.ts';

/**
 * Stores files in a folder, sharded into 256 subfolders by the last two digits of their ids, which are
 * random.
 */
export class FolderStore implements FileStore {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.name = folder;
    this.#folder = folder;
  }

  /** `path` must be on the same file system, because the file is renamed, not copied. */
  async put(key: string, path: string): Promise<void> {
    const target = this.#pathOf(key);
    const folder = dirname(target);
    try {
      await syncPath(path);
      if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncPath(this.#folder);
      await rename(path, target);
      await syncPath(folder);
    } catch (error) {
      throw named(error);
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    let handle: FileHandle;
    try {
      handle = await open(this.#pathOf(key), 'r');
    } catch (error) {
      throw named(error);
    }
    return handle.createReadStream(range && { start: range.first, end: range.last });
  }

  async sizeOf(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.#pathOf(key))).size;
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return undefined;
      throw named(error);
    }
  }

  async remove(key: string): Promise<void> {
    try {
      await rm(this.#pathOf(key), { force: true });
    } catch (error) {
      throw named(error);
    }
  }

  #pathOf = (key: string): string => pathIn(this.#folder, key);
}

/** Returns the path of a file within a folder of files. */
export function pathIn(folder: string, key: string): string {
  const [id = ''] = key.split('.', 1);
  return join(folder, id.slice(-2), key);
}

/** Calls fsync to make sure that a file's contents, or a folder's entries, survive a power failure. */
async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function named(error: unknown): StoreError {
  const { code, message } = error as { code?: string; message: string };
  if (code === 'ENOENT') return new NotStored('there is no such file');
  if (isNoSpace(code)) return new StoreFull('the disk of the files folder is full');
  return new StoreError(`the files folder failed: ${message}`);
}
