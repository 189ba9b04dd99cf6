import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from '../../lib/cpu.ts';
import type { Db } from '../contract.ts';
import { fileChunk, isFiled } from './authorIndex.ts';
import { indexChunk, isIndexed } from './messageIndex.ts';
import { isRetryDue, type OnUnindexed, retryUnindexed } from './unindexed.ts';

/**
 * Target CPU time per chunk, and bounds of its size in messages. The commit takes about a tenth of that
 * time in addition.
 */
const CHUNK_MS = 2.5;
const MIN_CHUNK_ROWS = 8;
const MAX_CHUNK_ROWS = 1_024;
/**
 * Decay factor of earlier measurements. The kernel may count CPU time in ticks of 4 ms, so a single
 * measurement says little.
 */
const REMEMBERED = 0.9;
/** How long there must be no writes before new messages are indexed. */
const IDLE_MS = 200;
/**
 * Backlog, in writes, at which each commit indexes a chunk itself: under constant load, there is no idle
 * time.
 */
const MAX_BACKLOG_WRITES = 200_000;
/**
 * The same for the author index, whose chunks are cheap. Unread counts scan the messages that are missing
 * from it.
 */
const MAX_UNFILED_WRITES = 2_000;
/** Maximum time that a chunk waits for searches to finish. */
const PATIENCE_MS = 100;
const LOOK_AGAIN_MS = 2;
/** How often messages that could not be indexed are retried. */
const RETRY_INTERVAL_MS = 15_000;

interface Connection {
  scalar(sql: string): unknown;
}

/**
 * Fills SQLite's full-text and author indexes of messages soon after commits (`messageIndex.ts`,
 * `authorIndex.ts`).
 */
export class SearchIndexer {
  readonly #db: Pick<Db, 'write' | 'figures'>;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #isSearching: () => boolean;
  /** Writes by this process that may not be in the full-text index yet. */
  #behind = 0;
  /** Writes by this process that may not be in the author index yet. */
  #unfiled = 0;
  /** Messages in the next chunk: a power of two, adapted to how long chunks take. */
  #rows = 64;
  /** Decayed sums of the milliseconds and messages of recent full chunks. */
  #spent = 0;
  #indexed = 0;
  #isHurrying = false;
  readonly #stop = new AbortController();
  readonly #tell: OnUnindexed;
  #retriedAt = performance.now();

  /** @param isSearching Whether reads that scan thousands of rows are running. */
  constructor(
    db: Pick<Db, 'write' | 'figures'>,
    writer: Connection,
    reader: Connection,
    isSearching: () => boolean,
    tell: OnUnindexed = () => {},
  ) {
    this.#tell = tell;
    this.#db = db;
    this.#writer = writer;
    this.#reader = reader;
    this.#isSearching = isSearching;
    void this.#indexWhenIdle();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Call this in each transaction before its commit, with the number of its writes. */
  beforeCommit(works: number): void {
    this.#behind += works;
    if (this.#behind > MAX_BACKLOG_WRITES + MAX_CHUNK_ROWS) this.#indexChunk();
    this.#unfiled += works;
    if (this.#unfiled > MAX_UNFILED_WRITES) this.#fileChunk();
  }

  /**
   * Called by a search. Indexes all new messages in the background, chunk by chunk, between other
   * writes.
   */
  hurry(): void {
    if (this.#isHurrying || !this.#lags()) return;
    this.#isHurrying = true;
    void this.#indexOn(() => true).finally(() => {
      this.#isHurrying = false;
    });
  }

  /** Indexes a chunk in the current transaction. Returns true if there may be more. */
  #indexChunk(): boolean {
    const started = cpuMs();
    const rows = this.#rows;
    const { count, more } = indexChunk(this.#writer, rows, this.#tell);
    if (count === rows) this.#adjust(cpuMs() - started);
    // The count includes writes without messages, so it is reset once nothing is left to index.
    this.#behind = more ? Math.max(0, this.#behind - count) : 0;
    return more;
  }

  /**
   * Adds a chunk of messages to the author index in the current transaction. Returns true if there may be
   * more.
   */
  #fileChunk(): boolean {
    const { count, more } = fileChunk(this.#writer);
    this.#unfiled = more ? Math.max(0, this.#unfiled - count) : 0;
    return more;
  }

  /** Adapts the size of the next chunk to the time that a full one took. */
  #adjust(ms: number): void {
    const rows = this.#rows;
    this.#spent = this.#spent * REMEMBERED + ms;
    this.#indexed = this.#indexed * REMEMBERED + rows;
    const fitting = (CHUNK_MS * this.#indexed) / this.#spent;
    if (fitting < rows) this.#rows = Math.max(MIN_CHUNK_ROWS, rows / 2);
    else if (fitting >= rows * 2) this.#rows = Math.min(MAX_CHUNK_ROWS, rows * 2);
  }

  /**
   * Whether messages are missing from an index. False if the read fails; the next request reports the
   * failure.
   */
  #lags(): boolean {
    try {
      return !isFiled(this.#reader) || !isIndexed(this.#reader);
    } catch {
      return false;
    }
  }

  /** Indexes new messages whenever `IDLE_MS` have passed without a write. */
  async #indexWhenIdle(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const { works } = this.#db.figures;
      await sleep(IDLE_MS, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      await this.#retry();
      if (works !== this.#db.figures.works || !this.#lags()) continue;
      let before = this.#db.figures.works;
      await this.#indexOn(() => this.#db.figures.works === ++before);
    }
  }

  /** Retries messages that could not be indexed. A failed read or write is reported by the next request. */
  async #retry(): Promise<void> {
    if (performance.now() - this.#retriedAt < RETRY_INTERVAL_MS) return;
    this.#retriedAt = performance.now();
    try {
      if (isRetryDue(this.#reader))
        await this.#db.write(async () => retryUnindexed(this.#writer, this.#tell));
    } catch {}
  }

  /** Indexes chunks while there are more and `goesOn` returns true. */
  async #indexOn(goesOn: () => boolean): Promise<void> {
    let more = true;
    while (more && !this.#stop.signal.aborted) {
      await this.#giveWay();
      // If this fails, so will the next write, which reports it.
      const chunk = async () => this.#fileChunk() || this.#indexChunk();
      more = await this.#db.write(chunk).catch(() => false);
      more &&= goesOn();
    }
  }

  /** Waits until no search is running, but only briefly: some clients never stop searching. */
  async #giveWay(): Promise<void> {
    const { signal } = this.#stop;
    const until = performance.now() + PATIENCE_MS;
    while (this.#isSearching() && performance.now() < until && !signal.aborted)
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal }).catch(() => {});
  }
}
