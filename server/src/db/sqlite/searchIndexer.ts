import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from '../../lib/cpu.ts';
import type { Db } from '../contract.ts';
import { filePortion, isFiled } from './authorIndex.ts';
import { indexPortion, isIndexed } from './messageIndex.ts';

/** The CPU that a portion should use, and the messages that it may have. Its commit uses about a tenth of that. */
const PORTION_MS = 2.5;
const MIN_PORTION_ROWS = 8;
const MAX_PORTION_ROWS = 1_024;
/** What a portion counts for beside the next one. The kernel may count CPU by ticks of 4 ms, so one alone tells little. */
const REMEMBERED = 0.9;
/** Time without writes before new messages are indexed. */
const IDLE_MS = 200;
/** Beyond this many unindexed writes, a commit indexes a portion itself: a constant load leaves no idle time. */
const MAX_BACKLOG_WRITES = 200_000;
/** The same for the index of authors, of which a portion costs little. Counts of unread messages look at what it lacks. */
const MAX_UNFILED_WRITES = 2_000;
/** The longest that a portion gives way to searches. */
const PATIENCE_MS = 100;
const LOOK_AGAIN_MS = 2;

interface Connection {
  scalar(sql: string): unknown;
}

/** Adds new messages to SQLite's full-text index and to that of authors, soon after they are committed (`messageIndex.ts`, `authorIndex.ts`). */
export class SearchIndexer {
  readonly #db: Pick<Db, 'write' | 'figures'>;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #isSearching: () => boolean;
  /** Writes by this process whose messages may not be indexed yet. */
  #behind = 0;
  /** Writes by this process whose messages may not be in the index of authors yet. */
  #unfiled = 0;
  /** The messages in the next portion: a power of two, which follows the time that portions take. */
  #rows = 64;
  /** The milliseconds and the messages of the latest full portions, the older the less. */
  #spent = 0;
  #indexed = 0;
  #isHurrying = false;
  readonly #stop = new AbortController();

  /** @param isSearching True while reads that look at thousands of rows are under way. */
  constructor(
    db: Pick<Db, 'write' | 'figures'>,
    writer: Connection,
    reader: Connection,
    isSearching: () => boolean,
  ) {
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
    if (this.#behind > MAX_BACKLOG_WRITES + MAX_PORTION_ROWS) this.#indexPortion();
    this.#unfiled += works;
    if (this.#unfiled > MAX_UNFILED_WRITES) this.#filePortion();
  }

  /** Indexes all new messages in the background, portion by portion, between other writes: there was a search. */
  hurry(): void {
    if (this.#isHurrying || !this.#lags()) return;
    this.#isHurrying = true;
    void this.#indexOn(() => true).finally(() => {
      this.#isHurrying = false;
    });
  }

  /** Indexes a portion in the current transaction. Returns true if there may be more. */
  #indexPortion(): boolean {
    const started = cpuMs();
    const rows = this.#rows;
    const { count, more } = indexPortion(this.#writer, rows);
    if (count === rows) this.#adjust(cpuMs() - started);
    // The count includes writes without messages, so it ends at 0 when nothing is left to index.
    this.#behind = more ? Math.max(0, this.#behind - count) : 0;
    return more;
  }

  /** Files a portion of messages by author in the current transaction. Returns true if there may be more. */
  #filePortion(): boolean {
    const { count, more } = filePortion(this.#writer);
    this.#unfiled = more ? Math.max(0, this.#unfiled - count) : 0;
    return more;
  }

  /** Sets the size of the next portion, by the time that a full one took. */
  #adjust(ms: number): void {
    const rows = this.#rows;
    this.#spent = this.#spent * REMEMBERED + ms;
    this.#indexed = this.#indexed * REMEMBERED + rows;
    const fitting = (PORTION_MS * this.#indexed) / this.#spent;
    if (fitting < rows) this.#rows = Math.max(MIN_PORTION_ROWS, rows / 2);
    else if (fitting >= rows * 2) this.#rows = Math.min(MAX_PORTION_ROWS, rows * 2);
  }

  /** True if messages are missing from an index. A failed read counts as false; the next request reports it. */
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
      if (signal.aborted || works !== this.#db.figures.works || !this.#lags()) continue;
      let before = this.#db.figures.works;
      await this.#indexOn(() => this.#db.figures.works === ++before);
    }
  }

  /** Indexes portions while there are more and `goesOn`. */
  async #indexOn(goesOn: () => boolean): Promise<void> {
    let more = true;
    while (more && !this.#stop.signal.aborted) {
      await this.#giveWay();
      // A failure recurs at the next write, which reports it.
      const portion = async () => this.#filePortion() || this.#indexPortion();
      more = await this.#db.write(portion).catch(() => false);
      more &&= goesOn();
    }
  }

  /** Waits until no search is under way, but not for long: some clients never stop searching. */
  async #giveWay(): Promise<void> {
    const { signal } = this.#stop;
    const until = performance.now() + PATIENCE_MS;
    while (this.#isSearching() && performance.now() < until && !signal.aborted)
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal }).catch(() => {});
  }
}
