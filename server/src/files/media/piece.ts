import type { FileHandle } from 'node:fs/promises';

/** A byte range of a file, `to` exclusive, or bytes that replace a part of it. */
export type Piece = { from: number; to: number } | Uint8Array;

/** Maximum pieces per file. A file cut into more is not worth the memory. */
const MAX_PIECES = 20_000;
/** Maximum parts to parse per file. */
const MAX_STEPS = 200_000;
/** Bytes per read. */
const WINDOW_BYTES = 64 * 1024;

/** The file is not of the type that its first bytes claim. */
export class Malformed extends Error {}

/** Collects pieces, merging adjacent ones. */
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

/** Buffered reads from an open file: many small sequential reads cost few disk reads. */
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

  /** `length` bytes from a position. Throws `Malformed` if the file ends before that. */
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

  /**
   * The bytes that are buffered from a position on, at least `least`. Throws `Malformed` if the file ends
   * before that.
   */
  async window(place: number, least: number): Promise<Buffer> {
    await this.read(place, least);
    const from = place - this.#start;
    return Buffer.from(this.#window.buffer, this.#window.byteOffset + from, this.#window.length - from);
  }

  /** Counts a parsed part. Throws `Malformed` if there are too many, which would take too long. */
  step(): void {
    if (++this.#steps > MAX_STEPS) throw new Malformed('too many parts');
  }
}

/** Streams the bytes of the pieces in order. */
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
