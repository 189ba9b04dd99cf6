import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Piece, readPieces, Source, type Turn } from './media/piece.ts';
import { isNoSpace, StoreError, StoreFull } from './store.ts';

/**
 * If an incoming file has not been modified for this long, in ms, the process that wrote it is assumed to
 * have died.
 */
const ABANDONED_MS = 60 * 60_000;

/** A file ready to be put into a store. */
export interface Arrived {
  path: string;
  bytes: number;
}

/** An uploaded file with its SHA-256 in hexadecimal. */
export interface Taken extends Arrived {
  sha256: string;
}

/**
 * The staging area for uploads until they are complete. It is on the same file system as the folder for
 * stored files, if there is one.
 */
export class Incoming {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Streams bytes into a new file, which is deleted on failure. Throws the stream's error, or `StoreError`.
   */
  async take(bytes: Readable): Promise<Taken> {
    const hash = createHash('sha256');
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const some of source) {
        hash.update(some);
        yield some;
      }
    };
    const arrived = await this.#write((path) => pipeline(bytes, counted, fileAt(path)));
    return { ...arrived, sha256: hash.digest('hex') };
  }

  /** Writes pieces of a file to a new file. `turn` schedules the slices of work. */
  async assemble({ path: from, bytes }: Arrived, pieces: readonly Piece[], turn: Turn): Promise<Arrived> {
    return this.#write(async (path) => {
      const handle = await open(from, 'r');
      try {
        await pipeline(readPieces(new Source(handle, bytes, turn), pieces), fileAt(path));
      } finally {
        await handle.close();
      }
    });
  }

  /** Writes bytes from memory into a new file. */
  async keep(bytes: Uint8Array): Promise<Arrived> {
    return this.#write((path) => pipeline([bytes], fileAt(path)));
  }

  /** Deletes files left behind by processes that died during an upload. */
  async removeAbandoned(now = Date.now()): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < now - ABANDONED_MS) await rm(path, { force: true });
    }
  }

  async #write(write: (path: string) => Promise<void>): Promise<Arrived> {
    // The name is random, because nodes in containers may share the folder and have the same process id.
    const path = join(this.#folder, randomUUID());
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await write(path);
      return { path, bytes: (await stat(path)).size };
    } catch (error) {
      await rm(path, { force: true });
      const { code, syscall, message } = error as { code?: string; syscall?: string; message: string };
      if (isNoSpace(code)) throw new StoreFull('the disk of the folder for uploads in progress is full');
      if (syscall && code !== 'ECONNRESET')
        throw new StoreError(`the folder for uploads in progress failed: ${message}`);
      throw error;
    }
  }
}

const fileAt = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600 });
