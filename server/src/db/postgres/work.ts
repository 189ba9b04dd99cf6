import type {
  JsonRows,
  MessageSearch,
  Order,
  Reads,
  Runnable,
  SearchPage,
  ServerSearch,
  SqlDialect,
  Tx,
} from '../contract.ts';
import { meet, type Reach, reachesOf } from '../reach.ts';
import { type Bound, bind, bindPage } from './compile.ts';
import type { Result } from './connection.ts';
import { lockName } from './locks.ts';
import { searchPage } from './messageSearch.ts';
import { searchServerPage } from './serverSearch.ts';

export type Work = (tx: Tx) => Promise<unknown>;
export type Outcome = { value: unknown } | { error: unknown };

export const dialect: SqlDialect = { name: 'postgres', isDistant: true };

/** A transaction shared by works. A work's turn starts after all earlier works have taken effect. */
export interface Transaction {
  /** Reads committed data ahead of the work's turn. Equal reads share one answer. */
  readAhead(bound: Bound): Promise<Result>;
  /** Reads during a work's turn. */
  read(bound: Bound): Promise<Result>;
  /** Makes a change in the turn of the work `by`. It may be merged with other changes and sent later. */
  change(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): void;
  /** Sends a change immediately. Resolves to undefined if it failed, which fails the transaction. */
  changeNow(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): Promise<Result | undefined>;
  /** The database's time in milliseconds, with a fraction; undefined before it is known. */
  time(): number | undefined;
  /** Whether a work has changed permissions. */
  changesAuthority(): boolean;
}

/** Thrown into a work whose reads are outdated. The work runs again, so no caller sees this error. */
const outdated = new Error('another work of the batch has changed what was read');

/**
 * One work's view of the transaction. Ahead of its turn it reads committed data and holds its changes back.
 */
export class WorkTx implements Tx {
  readonly dialect = dialect;
  readonly work: Work;
  readonly #transaction: Transaction;
  readonly #reads: Reach[] = [];
  #heldBack: { query: Runnable<unknown>; reaches: Reach[] }[] = [];
  readonly #held = new Set<string>();
  #isItsTurn: boolean;
  #isAbandoned = false;
  hasChanged = false;
  /** Whether the work has ended, ahead of its turn or in it. */
  hasEnded = false;
  readonly outcome: Promise<Outcome>;
  /** Resolves once the work has ended or needs its turn to continue. */
  readonly stopped: Promise<void>;
  #stop: () => void = () => {};
  readonly #turn = Promise.withResolvers<void>();

  constructor(transaction: Transaction, work: Work, isItsTurn = false) {
    this.#transaction = transaction;
    this.work = work;
    this.#isItsTurn = isItsTurn;
    this.stopped = new Promise((resolve) => {
      this.#stop = resolve;
    });
    this.#turn.promise.catch(() => {});
    this.outcome = this.#run();
  }

  async #run(): Promise<Outcome> {
    try {
      return { value: await this.work(this) };
    } catch (error) {
      return { error };
    } finally {
      this.hasEnded = true;
      this.#stop();
    }
  }

  /** Whether it has read rows that are among `changed`. */
  hasMet(changed: ReadonlyMap<string, readonly Reach[]>): boolean {
    return this.#reads.some((read) => changed.get(read.table)?.some((change) => meet(read, change)));
  }

  /** Starts its turn: sends the changes held back, and later statements directly. */
  takeTurn(): void {
    this.#isItsTurn = true;
    for (const { query, reaches } of this.#heldBack) this.#change(query, reaches);
    this.#heldBack = [];
    this.#turn.resolve();
  }

  /** Discards the work: whatever it does from here on has no effect. */
  abandon(): void {
    if (this.#isItsTurn) return;
    this.#isAbandoned = true;
    this.#turn.reject(outdated);
  }

  async first<R>(query: Runnable<R>): Promise<R | undefined> {
    return (await this.#read(bind(query), query)).rows[0];
  }

  async all<R>(query: Runnable<R>): Promise<R[]> {
    return (await this.#read(bind(query), query)).rows;
  }

  async json(
    query: Runnable<unknown>,
    key: string,
    _order: Order,
    limit: number,
    maxBytes?: number,
  ): Promise<JsonRows> {
    return pageOf(await this.#read(bindPage(query, key, limit, maxBytes), query));
  }

  async run(query: Runnable<unknown>): Promise<void> {
    const reaches = reachesOf(query);
    if (this.#isItsTurn) this.#change(query, reaches);
    else this.#heldBack.push({ query, reaches });
  }

  async count(query: Runnable<unknown>): Promise<number> {
    if (!this.#isItsTurn) await this.#waitForTurn();
    this.hasChanged = true;
    const result = await this.#transaction.changeNow(query, reachesOf(query), this);
    return result?.rowCount ?? 0;
  }

  async hold(name: string): Promise<void> {
    if (this.#held.has(name)) return;
    if (!this.#isItsTurn) await this.#waitForTurn();
    await this.#transaction.read(lockName(name));
    this.#held.add(name);
  }

  changesAuthority = (): boolean => this.#transaction.changesAuthority();

  time = (): number | undefined => this.#transaction.time();

  search(search: MessageSearch): Promise<SearchPage> {
    return searchPage(this, async () => undefined, search);
  }

  searchServer(search: ServerSearch): Promise<SearchPage> {
    return searchServerPage(this, async () => undefined, search);
  }

  inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T> {
    return task(this);
  }

  #read(bound: Bound, query: Runnable<unknown>): Promise<Result> {
    if (this.#isItsTurn) return this.#transaction.read(bound);
    if (this.#isAbandoned) return Promise.reject(outdated);
    // The read must see the work's own changes.
    if (this.#heldBack.length > 0) return this.#waitForTurn().then(() => this.#transaction.read(bound));
    this.#reads.push(...reachesOf(query));
    return this.#transaction.readAhead(bound);
  }

  #waitForTurn(): Promise<void> {
    this.#stop();
    return this.#turn.promise;
  }

  #change(query: Runnable<unknown>, reaches: readonly Reach[]): void {
    this.hasChanged = true;
    this.#transaction.change(query, reaches, this);
  }
}

/** Converts the result of `bindPage`. */
export function pageOf({ rows: [row] }: Result): JsonRows {
  return { json: Buffer.from(row.json ?? ''), count: row.count, beyond: row.beyond };
}
