import type { FileHandle } from 'node:fs/promises';

/** A byte range of a file, without the byte at `to`, or bytes that replace a part of the file. */
export type Piece = { from: number; to: number } | Uint8Array;

/** Maximum pieces per file. More would take too much memory. */
const MAX_PIECES = 20_000;
/** Maximum parts to parse per file. A ten-hour video in fragments of two seconds has 36,000 parts. */
const MAX_STEPS = 50_000;
/** Bytes per read. */
const WINDOW_BYTES = 64 * 1024;
/**
 * Units of work per slice. A read is one unit, and so are `BYTES_A_UNIT` scanned bytes. A slice takes a few
 * milliseconds of CPU time.
 */
const SLICE_UNITS = 1_000;
const BYTES_A_UNIT = 256;

/** A function that resolves when the next slice of work may run, in its own turn of the event loop. */
export type Turn = () => Promise<void>;

/** The result of scanning some bytes: how many were consumed, and whether the search ends there. */
export interface Look {
  passed: number;
  isFound: boolean;
}

/** Thrown if the file is not of the type that its first bytes indicate. */
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

/**
 * Buffers reads from an open file: many small sequential reads take few disk reads. The work between two
 * turns of the event loop is limited regardless of the file's content, so hostile files do not block other
 * requests.
 */
export class Source {
  readonly bytes: number;
  readonly #handle: FileHandle;
  readonly #turn: Turn;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #steps = 0;
  /** Units of work since the last turn. */
  #worked = 0;

  /** `turn` is awaited before each slice of work. */
  constructor(handle: FileHandle, bytes: number, turn: Turn) {
    this.#handle = handle;
    this.bytes = bytes;
    this.#turn = turn;
  }

  /** Returns `length` bytes from a position. Throws `Malformed` if the file ends before that. */
  async read(place: number, length: number): Promise<Buffer> {
    this.#worked += 1 + length / BYTES_A_UNIT;
    if (this.#worked > SLICE_UNITS) await this.#rest();
    if (!this.#has(place, length)) await this.#load(place, length);
    return this.#window.subarray(place - this.#start, place - this.#start + length);
  }

  /**
   * Feeds buffered bytes from a position to `look`, at least `least` at a time, until it finds a match.
   * Returns the position after the consumed bytes. Throws `Malformed` if the file ends before that.
   */
  async scan(from: number, least: number, look: (some: Buffer) => Look): Promise<number> {
    for (let place = from; ; ) {
      if (this.#worked > SLICE_UNITS) await this.#rest();
      if (!this.#has(place, least)) await this.#load(place, least);
      const { passed, isFound } = look(this.#window.subarray(place - this.#start));
      this.#worked += 1 + passed / BYTES_A_UNIT;
      place += passed;
      if (isFound) return place;
    }
  }

  /** Counts a parsed part. Throws `Malformed` if there are too many, because parsing would take too long. */
  step(): void {
    if (++this.#steps > MAX_STEPS) throw new Malformed('too many parts');
  }

  #has(place: number, length: number): boolean {
    return place >= this.#start && place + length <= this.#start + this.#window.length;
  }

  async #load(place: number, length: number): Promise<void> {
    if (place < 0 || length < 0 || place + length > this.bytes) throw new Malformed('the file ends early');
    const most = Math.min(Math.max(length, WINDOW_BYTES), this.bytes - place);
    this.#window = await readAt(this.#handle, place, most);
    this.#start = place;
    // Yields, because several reads may complete in the same turn of the event loop.
    await this.#rest();
    if (this.#window.length < length) throw new Malformed('the file ends early');
  }

  async #rest(): Promise<void> {
    this.#worked = 0;
    await this.#turn();
  }
}

/**
 * Streams the bytes of the pieces in order, in chunks of 64 KB. Many small pieces therefore take few reads
 * and writes.
 */
export async function* readPieces(source: Source, pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  let filled = 0;
  for (const piece of pieces) {
    const isBytes = piece instanceof Uint8Array;
    const end = isBytes ? piece.length : piece.to;
    for (let place = isBytes ? 0 : piece.from; place < end; ) {
      const length = Math.min(end - place, chunk.length - filled);
      const some = isBytes ? piece.subarray(place, place + length) : await source.read(place, length);
      chunk.set(some, filled);
      filled += length;
      place += length;
      if (filled < chunk.length) continue;
      yield chunk;
      // The consumer may still be using the last chunk.
      chunk = Buffer.allocUnsafeSlow(WINDOW_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

async function readAt(handle: FileHandle, place: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, place + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
