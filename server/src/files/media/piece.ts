import type { FileHandle } from 'node:fs/promises';

/** A part of a file, from a place in bytes to another, which is not included; or bytes that stand in its stead. */
export type Piece = { from: number; to: number } | Uint8Array;

/** Pieces of one file, at most: one that is cut smaller is not worth its memory. */
const MAX_PIECES = 20_000;
/** Parts of a file that are looked at, at most. */
const MAX_STEPS = 200_000;
/** Bytes that are read at once. */
const WINDOW_BYTES = 64 * 1024;

/** The file is not of the type that its first bytes promise. */
export class Malformed extends Error {}

/** Puts pieces together; neighbours become one. */
export class Pieces {
  readonly list: Piece[] = [];

  /** Throws `Malformed` if there are too many. */
  add(piece: Piece): void {
    const last = this.list.at(-1);
    const isPart = !(piece instanceof Uint8Array);
    if (isPart && last && !(last instanceof Uint8Array) && last.to === piece.from) last.to = piece.to;
    else this.list.push(isPart ? { ...piece } : piece);
    if (this.list.length > MAX_PIECES) throw new Malformed('too many parts');
  }
}

/** Reads an open file by windows, so that small reads one after another cost few reads of the disk. */
export class Source {
  readonly bytes: number;
  readonly #handle: FileHandle;
  #window: Uint8Array = new Uint8Array();
  #start = 0;
  #steps = 0;

  constructor(handle: FileHandle, bytes: number) {
    this.#handle = handle;
    this.bytes = bytes;
  }

  /** `length` bytes from a place on. Throws `Malformed` if the file ends before. */
  async read(place: number, length: number): Promise<Buffer> {
    const end = place + length;
    if (place < 0 || length < 0 || end > this.bytes) throw new Malformed('the file ends early');
    if (place < this.#start || end > this.#start + this.#window.length) {
      this.#window = await readAt(
        this.#handle,
        place,
        Math.min(Math.max(length, WINDOW_BYTES), this.bytes - place),
      );
      this.#start = place;
    }
    if (this.#window.length < length) throw new Malformed('the file ends early');
    const from = place - this.#start;
    return Buffer.from(this.#window.buffer, this.#window.byteOffset + from, length);
  }

  /** The bytes from a place on that can be had at once, at least `least`. Throws `Malformed` if the file ends before. */
  async window(place: number, least: number): Promise<Buffer> {
    await this.read(place, least);
    const from = place - this.#start;
    return Buffer.from(this.#window.buffer, this.#window.byteOffset + from, this.#window.length - from);
  }

  /** Counts a part of the file. Throws `Malformed` if there are too many: they would take too long. */
  step(): void {
    if (++this.#steps > MAX_STEPS) throw new Malformed('too many parts');
  }
}

/** The bytes of the pieces, one after the other. */
export async function* readPieces(handle: FileHandle, pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      yield piece;
      continue;
    }
    for (let place = piece.from; place < piece.to; ) {
      const some = await readAt(handle, place, Math.min(WINDOW_BYTES, piece.to - place));
      if (some.length === 0) throw new Malformed('the file ends early');
      yield some;
      place += some.length;
    }
  }
}

async function readAt(handle: FileHandle, place: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
