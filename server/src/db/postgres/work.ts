import {
  type JsonRows,
  type MessageSearch,
  type Order,
  OVERLAP,
  type Reads,
  type Runnable,
  type SearchPage,
  type ServerSearch,
  type SqlDialect,
  type Tx,
} from '../contract.ts';
import { CachedPage, type MessagePage } from '../pageCache.ts';
import { type Reach, type Reaches, reachesOf } from '../reach.ts';
import { newBlockCache, searchesOf } from '../search/index.ts';
import { type Bound, bind, bindPage } from './compile.ts';
import type { Result } from './connection.ts';
import { lockName } from './locks.ts';
import { type Attempt, type Change, mayBeRefused, Step, type savepoints } from './savepoints.ts';

const inTransaction = () => ({
  blockCache: newBlockCache(),
  runInTurn: <T>(task: () => Promise<T>) => task(),
  onWaiting: () => {},
});

export type Work = (tx: Tx) => Promise<unknown>;
export type Outcome = { value: unknown } | { error: unknown };

/**
 * The reason why a batch did not run a write: another transaction holds the lock of its server, its reads are
 * stale, or it needs its own turn.
 */
export type LeftOut = { leftOut: 'locked' | 'outdated' | 'turn' };

export const dialect: SqlDialect = { name: 'postgres', isDistant: true };

/**
 * A transaction shared by several writes. A write's turn starts after all earlier writes have taken effect.
 */
export interface Transaction {
  /** Reads committed data ahead of the write's turn. Equal reads share one response. */
  readAhead(bound: Bound): Promise<Result>;
  /** Reads during a write's turn. */
  read(bound: Bound): Promise<Result>;
  /**
   * Makes a change during the turn of the write `by`. The change may be merged with others and sent later.
   */
  change(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): void;
  /** Sends a change immediately. Resolves to undefined if the change failed, which fails the transaction. */
  changeNow(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): Promise<Result | undefined>;
  /** Begins a savepoint, releases the innermost one, or rolls back to it. */
  savepoint(does: keyof typeof savepoints): void;
  /**
   * Makes changes in a savepoint. If one is rejected, rolls back to the savepoint. Throws errors that fail
   * the transaction.
   */
  attempt(changes: readonly Change[]): Promise<Attempt>;
  /** Returns the database's time in milliseconds, with a fraction; undefined until it is known. */
  time(): number | undefined;
  /** Whether a write has changed permissions. */
  changesAuthority(): boolean;
}

/** Thrown inside a write whose reads are stale. The write runs again, so callers never see this error. */
const outdated = new Error('another write of the batch has changed data that this one read');

/**
 * One write's view of the transaction. Ahead of its turn, it reads committed data and buffers its changes.
 */
export class WorkTx implements Tx {
  readonly dialect = dialect;
  readonly work: Work;
  readonly #transaction: Transaction;
  readonly #reads: Reach[] = [];
  #heldBack: Change[] = [];
  /** The write's savepoints; the innermost is last. */
  readonly #steps: Step[] = [];
  /** The reason why the write fails, regardless of its result. */
  #fault: Error | undefined;
  #names: ReadonlySet<string> = new Set();
  #isItsTurn: boolean;
  #isAbandoned = false;
  hasChanged = false;
  /** Whether the write has ended, either ahead of its turn or during it. */
  hasEnded = false;
  readonly outcome: Promise<Outcome>;
  /** Resolves once the write has ended or has to wait for its turn. */
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
      const value = await this.work(this);
      if (this.#fault) throw this.#fault;
      return { value };
    } catch (error) {
      return { error };
    } finally {
      this.hasEnded = true;
      this.#stop();
    }
  }

  /** Whether the write has read rows that are in `changed`. */
  hasMet(changed: Reaches): boolean {
    return changed.meets(this.#reads);
  }

  /** Starts the write's turn: sends the buffered changes. Later statements are sent immediately. */
  takeTurn(): void {
    this.#isItsTurn = true;
    for (const change of this.#heldBack) this.#change(change);
    this.#heldBack = [];
    this.#turn.resolve();
  }

  /** Discards the write. Operations that it starts later have no effect. */
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
    this.#make({ query, reaches: reachesOf(query) });
  }

  #make(change: Change): void {
    const step = this.#steps.at(-1);
    if (step) step.held.push(change);
    else if (this.#isItsTurn) this.#change(change);
    else this.#heldBack.push(change);
  }

  async count(query: Runnable<unknown>): Promise<number> {
    const step = this.#steps.at(-1);
    if (step) {
      step.held.push({ query, reaches: reachesOf(query) });
      return (await this.#apply())?.rowCount ?? 0;
    }
    if (!this.#isItsTurn) await this.#waitForTurn();
    this.hasChanged = true;
    const result = await this.#transaction.changeNow(query, reachesOf(query), this);
    return result?.rowCount ?? 0;
  }

  async savepoint<T>(task: () => Promise<T>): Promise<T> {
    const outer = this.#steps.at(-1);
    // The outer savepoint's changes are sent first. Otherwise, their errors would be attributed to the inner
    // savepoint.
    if (outer?.held.some(mayBeRefused)) await this.#apply();
    const step = new Step();
    this.#steps.push(step);
    try {
      const result = await task();
      if (step.refusal !== undefined) throw step.refusal;
      if (step.before ? step.held.length > 0 : step.held.some(mayBeRefused)) await this.#apply();
      this.#end(step);
      if (step.before) this.#transaction.savepoint('release');
      else for (const change of step.held) this.#make(change);
      return result;
    } catch (error) {
      this.#undo(step);
      throw error;
    }
  }

  #undo(step: Step): void {
    if (this.#steps.includes(step)) this.#end(step);
    if (!step.before) return;
    this.#transaction.savepoint('rollback');
    this.#transaction.savepoint('release');
    this.hasChanged = step.before.hasChanged || this.#fault !== undefined;
    this.#names = step.before.names;
  }

  #end(step: Step): void {
    if (this.#steps.pop() === step) return;
    this.#fault = new Error(OVERLAP);
    throw this.#fault;
  }

  /**
   * Makes the changes that the write's savepoints have buffered. Throws if a change in the innermost savepoint
   * is rejected. Returns the last result.
   */
  async #apply(): Promise<Result | undefined> {
    if (!this.#isItsTurn) await this.#waitForTurn();
    const step = this.#steps.at(-1) as Step;
    if (step.refusal !== undefined) throw step.refusal;
    for (const one of this.#steps) {
      if (!one.before) {
        this.#transaction.savepoint('begin');
        one.before = { hasChanged: this.hasChanged, names: this.#names };
      }
      // Changes still buffered in outer savepoints are ones that cannot be rejected (see `savepoint`).
      if (one !== step) for (const change of one.held.splice(0)) this.#change(change);
    }
    const changes = step.held.splice(0);
    if (changes.length === 0) return undefined;
    this.hasChanged = true;
    const attempt = await this.#transaction.attempt(changes);
    if ('last' in attempt) return attempt.last;
    step.refusal = attempt.error;
    throw attempt.error;
  }

  async hold(name: string): Promise<void> {
    if (this.#names.has(name)) return;
    if (!this.#isItsTurn) await this.#waitForTurn();
    await this.#transaction.read(lockName(name));
    this.#names = new Set(this.#names).add(name);
  }

  /** Also true if the write has buffered a permission change. */
  changesAuthority = (): boolean =>
    this.#transaction.changesAuthority() ||
    [this.#heldBack, ...this.#steps.map(({ held }) => held)].some((changes) =>
      changes.some(({ query }) => bind(query).compiled.authorityOf !== undefined),
    );

  time = (): number | undefined => this.#transaction.time();

  search(search: MessageSearch): Promise<SearchPage> {
    return searchesOf(this, inTransaction()).search(search);
  }

  searchServer(search: ServerSearch): Promise<SearchPage> {
    return searchesOf(this, inTransaction()).searchServer(search);
  }

  async pageOf(_channelId: string, _name: string, read: () => Promise<MessagePage>): Promise<CachedPage> {
    return new CachedPage(await read());
  }

  inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T> {
    return task(this);
  }

  #read(bound: Bound, query: Runnable<unknown>): Promise<Result> {
    // The read must see the write's own changes.
    if (this.#steps.some(({ held }) => held.length > 0)) {
      return this.#apply().then(() => this.#transaction.read(bound));
    }
    if (this.#isItsTurn) return this.#transaction.read(bound);
    if (this.#isAbandoned) return Promise.reject(outdated);
    if (this.#heldBack.length > 0) return this.#waitForTurn().then(() => this.#transaction.read(bound));
    this.#reads.push(...reachesOf(query));
    return this.#transaction.readAhead(bound);
  }

  #waitForTurn(): Promise<void> {
    this.#stop();
    return this.#turn.promise;
  }

  #change({ query, reaches }: Change): void {
    this.hasChanged = true;
    this.#transaction.change(query, reaches, this);
  }
}

/** Converts the result of `bindPage`. */
export function pageOf({ rows: [row] }: Result): JsonRows {
  return { json: Buffer.from(row.json ?? ''), count: row.count, beyond: row.beyond };
}
