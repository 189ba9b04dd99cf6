import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../contract.ts';
import { fileChunk, isFiled } from './authorIndex.ts';

/** How long there must be no writes before new messages are indexed. */
const IDLE_MS = 200;
/**
 * Backlog, in writes, at which each commit indexes a chunk itself, because under constant load there is no
 * idle time. A large backlog slows down unread counts, which scan messages that are not indexed.
 */
const MAX_UNFILED_WRITES = 2_000;
/** Maximum time for which searches delay the indexing of a chunk. */
const PATIENCE_MS = 100;
const LOOK_AGAIN_MS = 2;

interface Connection {
  scalar(sql: string): unknown;
}

/** Fills SQLite's author index of messages soon after commits (`authorIndex.ts`). */
export class AuthorIndexer {
  readonly #db: Pick<Db, 'write' | 'figures'>;
  readonly #writer: Connection;
  readonly #reader: Connection;
  readonly #isSearching: () => boolean;
  /** Writes by this process that may not be in the index yet. */
  #unfiled = 0;
  #isHurrying = false;
  readonly #stop = new AbortController();
  #waiting: NodeJS.Timeout | undefined;

  /** @param isSearching Whether reads that scan thousands of rows are running. */
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
    // An earlier process may have left messages unindexed.
    this.#indexSoon();
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#waiting);
  }

  /** Call this in each transaction before its commit, with the number of its writes. */
  beforeCommit(works: number): void {
    this.#unfiled += works;
    if (this.#unfiled > MAX_UNFILED_WRITES) this.#fileChunk();
    this.#indexSoon();
  }

  /** Called by a search. Indexes all new messages in the background, chunk by chunk, between other writes. */
  hurry(): void {
    if (this.#isHurrying || !this.#lags()) return;
    this.#isHurrying = true;
    void this.#indexOn(() => true).finally(() => {
      this.#isHurrying = false;
    });
  }

  /** Indexes a chunk of messages in the current transaction. Returns true if there may be more. */
  #fileChunk(): boolean {
    const { count, more } = fileChunk(this.#writer);
    this.#unfiled = more ? Math.max(0, this.#unfiled - count) : 0;
    return more;
  }

  /**
   * Whether messages are missing from the index. Returns false if the read fails, because the next request
   * reports the failure.
   */
  #lags(): boolean {
    try {
      return !isFiled(this.#reader);
    } catch {
      return false;
    }
  }

  /** Indexes new messages once `IDLE_MS` have passed without a write. */
  #indexSoon(): void {
    if (this.#waiting || this.#stop.signal.aborted) return;
    const { works } = this.#db.figures;
    this.#waiting = setTimeout(async () => {
      let before = this.#db.figures.works;
      const isIdle = works === before;
      if (isIdle && this.#lags()) await this.#indexOn(() => this.#db.figures.works === ++before);
      this.#waiting = undefined;
      // The indexer's own writes do not trigger another check.
      if (!isIdle || before !== this.#db.figures.works) this.#indexSoon();
    }, IDLE_MS).unref();
  }

  /** Indexes chunks as long as there are more and `goesOn` returns true. */
  async #indexOn(goesOn: () => boolean): Promise<void> {
    let more = true;
    while (more && !this.#stop.signal.aborted) {
      await this.#giveWay();
      // If this fails, the next write also fails and reports the error.
      more = await this.#db.write(async () => this.#fileChunk()).catch(() => false);
      more &&= goesOn();
    }
  }

  /**
   * Waits until no search is running, but no longer than `PATIENCE_MS`, because some clients never stop
   * searching.
   */
  async #giveWay(): Promise<void> {
    const { signal } = this.#stop;
    const until = performance.now() + PATIENCE_MS;
    while (this.#isSearching() && performance.now() < until && !signal.aborted)
      await sleep(LOOK_AGAIN_MS, undefined, { ref: false, signal }).catch(() => {});
  }
}
