import assert from 'node:assert/strict';
import { Source, type Turn } from '../../server/src/files/media/piece.ts';
import { cpuMs } from '../../server/src/lib/cpu.ts';

/** A block of the event loop longer than this, in ms of CPU time, delays other requests. */
const MAX_BLOCK_MS = 20;
/** Reads and looked-at bytes in one slice, counted here and not by the parsers. */
const MAX_READS = 1_500;
const MAX_BYTES = 350_000;
/** CPU time of one file, in ms: more would be an endless loop. */
const MAX_TOTAL_MS = 2_000;

/**
 * Measures the slices in which a file is parsed. CPU time and counts, because on a busy machine the wall time
 * is somebody else's.
 */
export class Slices {
  /** The most of one slice. */
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

  /** A slice ends when a parser asks for a turn, and the next one begins when it gets it. */
  readonly turn: Turn = async () => {
    this.#end();
    await new Promise((resolve) => setImmediate(resolve));
    this.#from = cpuMs();
  };

  /** Whether a slice so far has taken more time than it may. */
  isLong(): boolean {
    this.#end();
    this.#from = cpuMs();
    return this.longestMs > MAX_BLOCK_MS || this.totalMs > MAX_TOTAL_MS;
  }

  /** Asserts that no slice so far was long. `say` describes the file. */
  assertShort(say: string): void {
    this.#end();
    const { longestMs, totalMs, mostReads, mostBytes } = this;
    const seen = `${say}: ${mostReads} reads, ${mostBytes} bytes, ${longestMs.toFixed(1)} ms, ${totalMs.toFixed(0)} ms in all`;
    assert.ok(mostReads <= MAX_READS && mostBytes <= MAX_BYTES, seen);
    assert.ok(longestMs <= MAX_BLOCK_MS && totalMs <= MAX_TOTAL_MS, seen);
    this.#from = cpuMs();
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
