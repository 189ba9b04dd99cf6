import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, StorageError } from '../contract.ts';
import { indexBatch, isIndexed } from './search.ts';

/** Maximum messages indexed in one transaction. */
const BATCH_ROWS = 500;
/** Time without writes before new messages are indexed. */
const IDLE_MS = 200;
/** Beyond this many unindexed writes, a commit indexes a batch itself: a constant load leaves no idle time. */
const MAX_BACKLOG_WRITES = 200_000;

interface Connection {
  scalar(sql: string): unknown;
}

/** Adds new messages to SQLite's full-text index soon after they are committed (see `search.ts`). */
export class SearchIndexer {
  readonly #db: Pick<Db, 'write' | 'figures'>;
  readonly #writer: Connection;
  readonly #reader: Connection;
  /** Writes by this process whose messages may not be indexed yet. */
  #behind = 0;
  readonly #stop = new AbortController();

  constructor(db: Pick<Db, 'write' | 'figures'>, writer: Connection, reader: Connection) {
    this.#db = db;
    this.#writer = writer;
    this.#reader = reader;
    void this.#indexWhenIdle();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Call this in each transaction before its commit, with the number of its writes. */
  beforeCommit(works: number): void {
    this.#behind += works;
    if (this.#behind > MAX_BACKLOG_WRITES + BATCH_ROWS) this.#indexBatch();
  }

  /** Resolves once all messages committed before the call are indexed, or as many as fit on the disk. */
  async indexAll(): Promise<void> {
    if (isIndexed(this.#reader)) return;
    try {
      while (await this.#db.write(async () => this.#indexBatch()));
    } catch (error) {
      // On a full disk a search still finds the messages indexed so far.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  /** Indexes a batch in the current transaction. Returns true if there may be more. */
  #indexBatch(): boolean {
    const indexed = indexBatch(this.#writer, BATCH_ROWS);
    const more = indexed >= BATCH_ROWS;
    // The count includes writes without messages, so it ends at 0 when nothing is left to index.
    this.#behind = more ? Math.max(0, this.#behind - indexed) : 0;
    return more;
  }

  /** True if messages are missing from the index. A failed read counts as false; the next request reports it. */
  #lags(): boolean {
    try {
      return !isIndexed(this.#reader);
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
      let more = !signal.aborted && works === this.#db.figures.works && this.#lags();
      while (more) {
        const before = this.#db.figures.works;
        // A failure recurs at the next write, which reports it.
        more = await this.#db.write(async () => this.#indexBatch()).catch(() => false);
        more &&= this.#db.figures.works === before + 1;
      }
    }
  }
}
