import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, StorageError } from '../contract.ts';
import { indexPortion, isIndexed } from './search.ts';

/** New messages are indexed for search in portions of this many, */
const PORTION = 500;
/** once nothing has been written for so many milliseconds, */
const QUIET = 200;
/** or, under a load that does not pause, with every portion of writes beyond so many. */
const BACKLOG = 200_000;

interface Connection {
  scalar(sql: string): unknown;
}

/** Keeps SQLite's full-text index of messages close behind the messages (see `search.ts`). */
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
    void this.#indexInQuiet();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Called in each transaction before its commit, with the number of its writes. */
  beforeCommit(works: number): void {
    this.#behind += works;
    if (this.#behind > BACKLOG + PORTION) this.#indexPortion();
  }

  /** Resolves once everything that was committed before the call is indexed, or as much of it as has room. */
  async indexAll(): Promise<void> {
    if (isIndexed(this.#reader)) return;
    try {
      while (await this.#db.write(async () => this.#indexPortion()));
    } catch (error) {
      // On a full disk reads go on: the search finds what is in the index so far.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  /** Indexes a portion, in the transaction under way; true if there may be more. */
  #indexPortion(): boolean {
    const indexed = indexPortion(this.#writer, PORTION);
    const more = indexed >= PORTION;
    // Of the writes counted, those of other things than messages leave nothing to index.
    this.#behind = more ? Math.max(0, this.#behind - indexed) : 0;
    return more;
  }

  /** False also where the data cannot be read: what asks for it next reports that. */
  #lags(): boolean {
    try {
      return !isIndexed(this.#reader);
    } catch {
      return false;
    }
  }

  /** Looks every now and then whether nobody is writing, and then indexes what is new. */
  async #indexInQuiet(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const { works } = this.#db.figures;
      await sleep(QUIET, undefined, { ref: false, signal }).catch(() => {});
      let more = !signal.aborted && works === this.#db.figures.works && this.#lags();
      while (more) {
        const before = this.#db.figures.works;
        // What fails here fails again at the next write, which reports it.
        more = await this.#db.write(async () => this.#indexPortion()).catch(() => false);
        more &&= this.#db.figures.works === before + 1;
      }
    }
  }
}
