import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Piece, readPieces } from './media/piece.ts';
import { StoreError } from './store.ts';

/** A file that no process has changed for this time, in ms, is left from an upload that nobody ends any more. */
const ABANDONED_MS = 60 * 60_000;

/** A file on its way into a store. */
export interface Arrived {
  path: string;
  bytes: number;
}

/** A file as it came, with its SHA-256 in hexadecimal. */
export interface Taken extends Arrived {
  sha256: string;
}

/** The folder in which files wait until they are whole. It is on the disk of the folder of files, if there is one. */
export class Incoming {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes all bytes of a stream into a file. Leaves none if that fails. Throws the error of the stream, or `StoreError`. */
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

  /** Writes pieces of a file into another one. */
  async assemble(from: string, pieces: readonly Piece[]): Promise<Arrived> {
    return this.#write(async (path) => {
      const source = await open(from, 'r');
      try {
        await pipeline(readPieces(source, pieces), fileAt(path));
      } finally {
        await source.close();
      }
    });
  }

  /** Writes bytes of memory into a file. */
  async keep(bytes: Uint8Array): Promise<Arrived> {
    return this.#write((path) => pipeline([bytes], fileAt(path)));
  }

  /** Removes files that were left by processes which ended before their uploads. */
  async removeAbandoned(now = Date.now()): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < now - ABANDONED_MS) await rm(path, { force: true });
    }
  }

  async #write(write: (path: string) => Promise<void>): Promise<Arrived> {
    // Random: nodes in containers share the folder, and the number of their process.
    const path = join(this.#folder, randomUUID());
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await write(path);
      return { path, bytes: (await stat(path)).size };
    } catch (error) {
      await rm(path, { force: true });
      const { code, syscall, message } = error as { code?: string; syscall?: string; message: string };
      if (syscall && code !== 'ECONNRESET') throw new StoreError(`the folder of arriving files: ${message}`);
      throw error;
    }
  }
}

const fileAt = (path: string) => createWriteStream(path, { flags: 'wx', mode: 0o600 });
