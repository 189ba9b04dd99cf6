import assert from 'node:assert/strict';
import { Source, type Turn } from '../../server/src/files/media/piece.ts';
import { cpuMs } from '../../server/src/lib/cpu.ts';
import { MAX_BLOCK_MS } from './cost.ts';

/** Maximum reads, and maximum bytes read or scanned, per slice. They are counted here and not by the parsers. */
const MAX_READS = 1_500;
const MAX_BYTES = 350_000;
/** Maximum CPU time for one file, in ms. Detects endless loops. */
const MAX_TOTAL_MS = 2_000;
const TRIES = 5;

/**
 * Measures the slices in which a file is parsed. Measures CPU time and counts, because wall time on a busy machine
 * includes other processes.
 */
class Slices {
  /** The CPU time of the longest slice. */
  longestMs = 0;
  mostReads = 0;
  mostBytes = 0;
  totalMs = 0;
  turns = 0;
  #from = cpuMs();
  #reads = 0;
  #bytes = 0;
  static #current: Slices | undefined;

  static {
    const { read, scan } = Source.prototype;
    Source.prototype.read = function (place, length) {
      if (Slices.#current) Slices.#current.#count(length);
      return read.call(this, place, length);
    };
    Source.prototype.scan = function (from, least, look) {
      return scan.call(this, from, least, (some) => {
        const seen = look(some);
        if (Slices.#current) Slices.#current.#count(seen.passed);
        return seen;
      });
    };
  }

  constructor() {
    Slices.#current = this;
  }

  /** A slice ends when a parser asks for a turn. The next one begins when the parser gets the turn. */
  readonly turn: Turn = async () => {
    this.#end();
    await new Promise((resolve) => setImmediate(resolve));
    this.#from = cpuMs();
  };

  /** True if a slice or the whole file took too long. */
  get isLong(): boolean {
    return this.longestMs > MAX_BLOCK_MS || this.totalMs > MAX_TOTAL_MS;
  }

  /** Ends the last slice. */
  finish(): void {
    this.#end();
    Slices.#current = undefined;
  }

  #count(bytes: number): void {
    this.#reads++;
    this.#bytes += bytes;
  }

  #end(): void {
    const ms = cpuMs() - this.#from;
    this.longestMs = Math.max(this.longestMs, ms);
    this.totalMs += ms;
    this.mostReads = Math.max(this.mostReads, this.#reads);
    this.mostBytes = Math.max(this.mostBytes, this.#bytes);
    this.#reads = 0;
    this.#bytes = 0;
    this.turns++;
  }
}

/**
 * Reads a file, asserts that no slice was long, and resolves with the result and the slices. Garbage collections and
 * a busy machine lengthen slices in some attempts, but a slice with too much work is long in each.
 */
export async function inShortSlices<T>(
  what: string,
  read: (turn: Turn) => Promise<T>,
): Promise<{ result: T; slices: Slices }> {
  for (let left = TRIES - 1; ; left--) {
    const slices = new Slices();
    const result = await read(slices.turn);
    slices.finish();
    if (left > 0 && slices.isLong) continue;
    const { longestMs, totalMs, mostReads, mostBytes } = slices;
    const seen = `${what}: ${mostReads} reads, ${mostBytes} bytes, ${longestMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all`;
    assert.ok(mostReads <= MAX_READS && mostBytes <= MAX_BYTES, seen);
    assert.ok(!slices.isLong, seen);
    return { result, slices };
  }
}
