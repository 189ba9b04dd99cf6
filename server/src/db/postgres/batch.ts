import type { Runnable } from '../contract.ts';
import type { Reach } from '../reach.ts';
import { type Bound, bind, fixed } from './compile.ts';
import type { PostgresConnection, Result } from './connection.ts';
import { lock, Merge } from './merge.ts';
import { type Outcome, type Transaction, type Work, WorkTx } from './work.ts';

/** A batch's reports to the engine on the version of permissions (see `Db.authorityVersion`). */
export interface Authority {
  /** Called with the version in the database. Returns true if the engine knew it already. */
  seen(version: number): boolean;
  /** Called before the transaction changes permissions. */
  changing(): void;
  /** Called after the commit, with the new version. */
  committed(version: number): void;
}

const begin = fixed('begin');
const commit = fixed('commit');
const rollback = fixed('rollback');
/** The version of permissions, and the database's time in milliseconds (`now`). */
export const versionAndTime = fixed(
  'select version, extract(epoch from clock_timestamp()) * 1000 as now from authority',
);
const newVersion = fixed('update authority set version = version + 1 returning version');

/**
 * Works that share one transaction. They run concurrently but take effect one after the other: each reads committed
 * data, and its changes are held back until its turn. A work that has read rows changed by an earlier one is run again
 * in its turn. A work that reads after its first change waits for its turn before that read. A batch of any size
 * therefore takes two round trips as long as its works do not conflict.
 */
export class Batch implements Transaction {
  readonly #connection: PostgresConnection;
  readonly #authority: Authority;
  /** The servers whose writes this batch serialises, by a lock on each. */
  readonly #servers: ReadonlySet<string>;
  /** Results of reads ahead, by query and values: works with the same read share one result. */
  readonly #shared = new Map<object | string, Map<string, Promise<Result>>>();
  /** Rows changed by earlier works, by table. */
  readonly #changed = new Map<string, Reach[]>();
  /** True once every read ahead may be outdated. */
  #allOutdated = false;
  #authorityChanges = false;
  /** Inserts waiting to be merged into one statement, until any other statement has to be sent. */
  readonly #merge: Merge;
  readonly #sent: Promise<unknown>[] = [];
  #failure: unknown;
  #hasEnded = false;
  /** True if a work has inserted into `sweep`. */
  hasMarked = false;
  /** True once the commit was sent, so that the transaction may have been committed. */
  commitSent = false;
  /** The database's clock minus this process's monotonic clock, in milliseconds, read after taking the locks. */
  #ahead: number | undefined;

  constructor(connection: PostgresConnection, authority: Authority, servers: ReadonlySet<string>) {
    this.#connection = connection;
    this.#authority = authority;
    this.#servers = servers;
    this.#merge = new Merge(servers);
  }

  /**
   * Runs the works in order and commits. Throws if the whole transaction failed: the error of the failed statement, or
   * that of a work which threw after making a change.
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
    // Sorted, so that no two transactions wait for each other's locks.
    for (const serverId of [...this.#servers].sort()) this.#send(lock(serverId));
    this.#send(versionAndTime, ({ rows: [row] }) => {
      this.#ahead = Number(row.now) - performance.now();
      if (!this.#authority.seen(row.version)) this.#allOutdated = true;
    });
  }

  /** Applies a work, after all earlier ones. */
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
    // After a failed statement, later ones fail only because the transaction is aborted.
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
    // A work may have started a read without awaiting it.
    if (this.#hasEnded) throw new Error('the transaction has ended');
    try {
      return await this.#connection.query(bound);
    } catch (error) {
      // A failed statement aborts the whole transaction.
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
