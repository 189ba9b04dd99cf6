import type { Runnable } from '../contract.ts';
import type { Reach } from '../reach.ts';
import { type Bound, bind, fixed } from './compile.ts';
import type { PostgresConnection, Result } from './connection.ts';
import { lock, Merge } from './merge.ts';
import { type Outcome, type Transaction, type Work, WorkTx } from './work.ts';

/** What a batch tells the engine of the version of who may do what (see `Db.authorityVersion`). */
export interface Authority {
  /** Told of the version in the database; true if it was known. */
  seen(version: number): boolean;
  /** Told that the transaction under way changes it, */
  changing(): void;
  /** and that it has, to this version. */
  committed(version: number): void;
}

const begin = fixed('begin');
const commit = fixed('commit');
const rollback = fixed('rollback');
/** The version of who may do what, and the time in milliseconds. */
export const versionAndTime = fixed(
  'select version, extract(epoch from clock_timestamp()) * 1000 as now from authority',
);
const newVersion = fixed('update authority set version = version + 1 returning version');

/**
 * Works that share one transaction. They take effect one after the other, yet are run at the same time: each reads what is
 * committed, and its changes are held back until those before it have made theirs. One that has read what an earlier one
 * changes is run again in its turn; one that reads on after its first change waits for its turn first. So a batch of any
 * size takes two round trips as long as its works do not meet.
 */
export class Batch implements Transaction {
  readonly #connection: PostgresConnection;
  readonly #authority: Authority;
  /** Those whose turn of writes it is. */
  readonly #servers: ReadonlySet<string>;
  /** Answers of reads that were sent ahead, by query and values: works that read the same share one. */
  readonly #shared = new Map<object | string, Map<string, Promise<Result>>>();
  /** What the works before the one at hand have changed, by table. */
  readonly #changed = new Map<string, Reach[]>();
  /** True once what any work read ahead may be wrong. */
  #allOutdated = false;
  #authorityChanges = false;
  /** Changes that wait for others of their kind, until something is read or changed that may meet them. */
  readonly #merge: Merge;
  readonly #sent: Promise<unknown>[] = [];
  #failure: unknown;
  #hasEnded = false;
  /** True if a work has marked something whose rows are to be swept. */
  hasMarked = false;
  /** True once the transaction may have been committed. */
  commitSent = false;
  /** The database's clock when the lock was had, less this process's monotonic clock, in milliseconds. */
  #ahead: number | undefined;

  constructor(connection: PostgresConnection, authority: Authority, servers: ReadonlySet<string>) {
    this.#connection = connection;
    this.#authority = authority;
    this.#servers = servers;
    this.#merge = new Merge(servers);
  }

  /**
   * Runs the works in order and commits. Throws if the transaction as a whole failed: what one of the changes threw, or
   * what a work threw after it had changed something.
   */
  async run(works: readonly Work[]): Promise<Outcome[]> {
    this.#begin();
    const ahead = works.map((work) => new WorkTx(this, work));
    const outcomes: Outcome[] = [];
    try {
      await Promise.all(this.#sent);
      if (this.#failure !== undefined) throw this.#failure;
      for (const tx of ahead) outcomes.push(await this.#turn(tx));
      this.#hasEnded = true;
      await this.#commit();
      return outcomes;
    } catch (error) {
      this.#hasEnded = true;
      for (const tx of ahead) tx.abandon();
      if (!this.#connection.lost && !this.commitSent) await this.#connection.query(rollback).catch(() => {});
      throw this.#failure ?? error;
    }
  }

  #begin(): void {
    this.#send(begin);
    // In one order everywhere, so that no two transactions wait for each other.
    for (const serverId of [...this.#servers].sort()) this.#send(lock(serverId));
    this.#send(versionAndTime, ({ rows: [row] }) => {
      this.#ahead = Number(row.now) - performance.now();
      if (!this.#authority.seen(row.version)) this.#allOutdated = true;
    });
  }

  /** Lets a work take effect, once all before it have. */
  async #turn(ahead: WorkTx): Promise<Outcome> {
    await ahead.stopped;
    let tx = ahead;
    if (this.#allOutdated || ahead.hasMet(this.#changed)) {
      ahead.abandon();
      tx = new WorkTx(this, ahead.work, true);
    } else {
      tx.takeTurn();
    }
    const outcome = await tx.outcome;
    // Once a statement has failed, the others say no more than that.
    if (this.#failure !== undefined) throw this.#failure;
    if ('error' in outcome && tx.hasChanged) throw outcome.error;
    return outcome;
  }

  async #commit(): Promise<void> {
    this.#sendMerged();
    let version: number | undefined;
    if (this.#authorityChanges) {
      this.#send(newVersion, ({ rows: [row] }) => {
        version = row.version;
      });
    }
    this.commitSent = true;
    const { command } = await this.#connection.query(commit);
    await Promise.all(this.#sent);
    if (this.#failure !== undefined) throw this.#failure;
    if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}`);
    if (version !== undefined) this.#authority.committed(version);
  }

  time(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#ahead + performance.now();
  }

  readAhead(bound: Bound): Promise<Result> {
    const { compiled, values } = bound;
    let answers = this.#shared.get(compiled);
    if (!answers) {
      answers = new Map();
      this.#shared.set(compiled, answers);
    }
    const key = JSON.stringify(values);
    let answer = answers.get(key);
    if (!answer) {
      answer = this.#query(bound);
      answers.set(key, answer);
    }
    return answer;
  }

  read(bound: Bound): Promise<Result> {
    this.#sendMerged();
    return this.#query(bound);
  }

  async #query(bound: Bound): Promise<Result> {
    // A work that has ended may have left a read behind that nobody waits for.
    if (this.#hasEnded) throw new Error('the transaction has ended');
    try {
      return await this.#connection.query(bound);
    } catch (error) {
      // A statement that fails takes the whole transaction with it.
      this.#failure ??= error;
      throw error;
    }
  }

  change(query: Runnable<unknown>, reaches: readonly Reach[]): void {
    if (this.#merge.add(query)) this.#note(reaches);
    else void this.changeNow(query, reaches);
  }

  changeNow(query: Runnable<unknown>, reaches: readonly Reach[]): Promise<Result | undefined> {
    this.#note(reaches);
    this.#sendMerged();
    const bound = bind(query);
    if (bound.compiled.marksSweep) this.hasMarked = true;
    if (bound.compiled.changesAuthority) {
      this.#authority.changing();
      this.#authorityChanges = true;
      this.#allOutdated = true;
    }
    return this.#send(bound);
  }

  #note(reaches: readonly Reach[]): void {
    for (const reach of reaches) {
      const changes = this.#changed.get(reach.table);
      if (changes) changes.push(reach);
      else this.#changed.set(reach.table, [reach]);
    }
  }

  #sendMerged(): void {
    for (const bound of this.#merge.take()) this.#send(bound);
  }

  #send(bound: Bound, use: (result: Result) => void = () => {}): Promise<Result | undefined> {
    const sent = this.#connection.query(bound).then(
      (result) => {
        use(result);
        return result;
      },
      (error) => {
        this.#failure ??= error;
        return undefined;
      },
    );
    this.#sent.push(sent);
    return sent;
  }
}
