import type { Runnable } from '../contract.ts';
import { type Reach, Reaches } from '../reach.ts';
import { type Authority, raiseFor } from './authority.ts';
import { type Bound, bind, fixed } from './compile.ts';
import type { PostgresConnection, Result } from './connection.ts';
import { Gathered } from './gathered.ts';
import { type Locks, lockFree, lockOneThenFree, lockOwners } from './locks.ts';
import { Merge, type Merged } from './merge.ts';
import { type Attempt, type Change, isRefusal, lastOf, savepoints } from './savepoints.ts';
import { afterTurn } from './turn.ts';
import { type LeftOut, type Outcome, type Transaction, type Work, WorkTx } from './work.ts';

/** A write to run, and the server whose writes are serialized with it. */
export interface Task {
  work: Work;
  serverId: string | undefined;
}

const begin = fixed('begin');
const commit = fixed('commit');
const rollback = fixed('rollback');

/**
 * Runs writes in one transaction, with optimistic concurrency control. The writes run concurrently on
 * committed data, and their changes are buffered. Then, in commit order, each write's reads are checked
 * against the rows that earlier writes changed; on a conflict, the write runs again in its turn. A write that
 * reads after its first change waits for its turn before that read. Unless writes conflict, the number of
 * round trips does not depend on the size of the batch.
 *
 * A batch with several servers waits briefly for at most one lock (`Locks`). It leaves out writes whose server
 * is locked by another transaction, and writes that would need their turn.
 *
 * Failure: an error in a statement aborts the transaction and fails the batch. `suspects` then lets `Writes`
 * retry the other writes without those that may have caused it.
 */
export class Batch implements Transaction {
  readonly #connection: PostgresConnection;
  readonly #authority: Pick<Authority, 'ask'>;
  readonly #locks: Locks;
  /** Whether the batch must skip writes that would delay others. */
  readonly #isShared: boolean;
  /** The servers that this batch has locked. */
  readonly #locked = new Set<string>();
  readonly #gathered = new Gathered((bound) => this.#query(bound));
  /** Rows changed by earlier writes. */
  readonly #changed = new Reaches();
  /** Set once the reads made ahead of their turn may be stale. */
  #allOutdated = false;
  #hasChangedAuthority = false;
  /** Inserts to be merged into one statement. They are buffered until another statement has to be sent. */
  readonly #merge: Merge<WorkTx>;
  readonly #sent: Promise<unknown>[] = [];
  #failure: unknown;
  /** The writes that sent the first statement that failed. */
  #failed: ReadonlySet<WorkTx> = new Set();
  #hasEnded = false;
  /** Changes in flight that may be rejected. If one is, other statements fail until it is rolled back. */
  #attempt: Promise<Attempt> | undefined;
  /** The ids whose permissions have changed, and the version of these changes. */
  readonly concerned = new Set<string>();
  version: number | undefined;
  /** Whether a write has inserted into `sweep`. */
  hasMarked = false;
  /** Set once the commit was sent, so the transaction may have committed. */
  commitSent = false;
  /** The writes that may have caused `run` to throw. */
  suspects: ReadonlySet<Work> = new Set();
  /** The database's clock minus this process's monotonic clock, in ms, read after the locks were taken. */
  #ahead: number | undefined;

  constructor(connection: PostgresConnection, authority: Pick<Authority, 'ask'>, locks: Locks) {
    this.#connection = connection;
    this.#authority = authority;
    this.#locks = locks;
    this.#isShared = locks.waitsFor !== 'all' && locks.servers.size > 1;
    this.#merge = new Merge(this.#locked);
  }

  /**
   * Applies the writes in order and commits. Throws if the whole transaction failed: either the error of the
   * failed statement, or the error of a write that threw after making a change.
   */
  async run(tasks: readonly Task[]): Promise<(Outcome | LeftOut)[]> {
    // `sendAll` is scheduled before `#begin` schedules the connection's flush, so that the first reads share
    // the packet.
    afterTurn(() => this.#gathered.sendAll());
    this.#begin();
    const ahead = tasks.map(({ work }) => new WorkTx(this, work));
    const outcomes: (Outcome | LeftOut)[] = [];
    try {
      await Promise.all(this.#sent);
      if (this.#failure !== undefined) throw this.#failure;
      for (const [index, tx] of ahead.entries()) outcomes.push(await this.#turn(tx, tasks[index] as Task));
      this.#hasEnded = true;
      await this.#commit();
      return outcomes;
    } catch (error) {
      this.#hasEnded = true;
      for (const tx of ahead) tx.abandon();
      if (!this.#connection.lost && !this.commitSent) await this.#connection.query(rollback).catch(() => {});
      const failure = this.#failure ?? error;
      this.suspects = await this.#suspectsOf(ahead, failure);
      throw failure;
    }
  }

  #begin(): void {
    const { servers, waitsFor } = this.#locks;
    const lock = (ids: Iterable<string>): void => {
      for (const id of ids) this.#locked.add(id);
    };
    // `begin` does not wait for locks, so a late response means that the connection is dead.
    this.#sent.push(
      this.#connection.probe(begin).catch((error) => {
        this.#failure ??= error;
      }),
    );
    if (waitsFor === 'all') {
      if (servers.size > 0) this.#send(lockOwners(servers), () => lock(servers));
    } else {
      const locks = waitsFor === 'none' ? lockFree(servers) : lockOneThenFree(waitsFor.serverId, servers);
      this.#send(locks, ({ rows }) => lock(rows.map(({ id }) => id)));
    }
    const { bound, seen } = this.#authority.ask();
    this.#send(bound, ({ rows: [state] }) => {
      this.#ahead = Number(state.now) - performance.now();
      if (!seen(state)) this.#allOutdated = true;
    });
  }

  /** Applies a write after all earlier writes. */
  async #turn(ahead: WorkTx, { serverId, work }: Task): Promise<Outcome | LeftOut> {
    if (serverId !== undefined && !this.#locked.has(serverId)) return leaveOut(ahead, 'locked');
    await ahead.stopped;
    let tx = ahead;
    if (this.#allOutdated || ahead.hasMet(this.#changed)) {
      if (this.#isShared) return leaveOut(ahead, 'outdated');
      ahead.abandon();
      tx = new WorkTx(this, work, true);
    } else {
      if (this.#isShared && !ahead.hasEnded) return leaveOut(ahead, 'turn');
      if (this.#failure !== undefined) throw this.#failure;
      // A write that failed ahead of its turn has not changed anything.
      const ended = ahead.hasEnded ? await ahead.outcome : undefined;
      if (ended && 'error' in ended) return ended;
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
    // Waits for the responses, which contain the ids whose permissions have changed.
    if (this.#hasChangedAuthority) await Promise.all(this.#sent);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.concerned.size > 0) {
      this.#send(raiseFor(this.concerned), ({ rows: [row] }) => {
        this.version = row.version;
      });
    }
    this.commitSent = true;
    const { command } = await this.#connection.query(commit);
    await Promise.all(this.#sent);
    if (this.#failure !== undefined) throw this.#failure;
    if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}`);
  }

  changesAuthority(): boolean {
    return this.#hasChangedAuthority;
  }

  /** Returns the writes that sent a failed statement, and those that were rejected with this error. */
  async #suspectsOf(all: readonly WorkTx[], failure: unknown): Promise<ReadonlySet<Work>> {
    const suspects = new Set([...this.#failed].map(({ work }) => work));
    for (const tx of all) {
      const outcome = await tx.outcome;
      if ('error' in outcome && outcome.error === failure) suspects.add(tx.work);
    }
    return suspects;
  }

  time(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#ahead + performance.now();
  }

  readAhead(bound: Bound): Promise<Result> {
    return this.#gathered.share(bound);
  }

  read(bound: Bound): Promise<Result> {
    this.#sendMerged();
    return this.#query(bound);
  }

  async #query(bound: Bound): Promise<Result> {
    // A write may have started a read without awaiting it.
    while (this.#attempt) await this.#attempt;
    if (this.#hasEnded) throw new Error('the transaction has ended');
    try {
      return await this.#connection.query(bound);
    } catch (error) {
      // A failed statement aborts the whole transaction.
      this.#failure ??= error;
      throw error;
    }
  }

  change(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): void {
    if (this.#merge.add(query, by)) this.#changed.add(reaches);
    else void this.changeNow(query, reaches, by);
  }

  changeNow(query: Runnable<unknown>, reaches: readonly Reach[], by: WorkTx): Promise<Result | undefined> {
    this.#sendMerged();
    const { bound, use } = this.#bindChange({ query, reaches });
    return this.#send(bound, use, new Set([by]));
  }

  /** Binds the values of a change and records its effects. `use` receives the change's result. */
  #bindChange({ query, reaches }: Change): { bound: Bound; use?: (result: Result) => void } {
    this.#changed.add(reaches);
    const bound = bind(query);
    const { marksSweep, authorityOf } = bound.compiled;
    if (marksSweep) this.hasMarked = true;
    if (authorityOf === undefined) return { bound };
    this.#hasChangedAuthority = true;
    this.#allOutdated = true;
    const use = ({ rows }: Result): void => {
      for (const row of rows) if (row[authorityOf] !== null) this.concerned.add(row[authorityOf]);
    };
    return { bound, use };
  }

  savepoint(does: keyof typeof savepoints): void {
    this.#sendMerged();
    void this.#send(savepoints[does]);
  }

  async attempt(changes: readonly Change[]): Promise<Attempt> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#attempt = this.#try(changes).finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #try(changes: readonly Change[]): Promise<Attempt> {
    const attempt = await lastOf(
      changes.map((change) => {
        const { bound, use } = this.#bindChange(change);
        return this.#connection.query(bound).then((result) => {
          use?.(result);
          return result;
        });
      }),
    );
    // An error other than a rejection fails the transaction, as does an earlier failed statement.
    if (this.#failure === undefined && 'error' in attempt && !isRefusal(attempt.error)) {
      this.#failure = attempt.error;
    }
    if (this.#failure !== undefined) throw this.#failure;
    if ('error' in attempt) void this.#send(savepoints.rollback);
    return attempt;
  }

  #sendMerged(): void {
    for (const { bound, by } of this.#merge.take()) this.#send(bound, undefined, by);
  }

  #send(
    bound: Bound,
    use: (result: Result) => void = () => {},
    by: Merged<WorkTx>['by'] = new Set(),
  ): Promise<Result | undefined> {
    const sent = this.#connection.query(bound).then(
      (result) => {
        use(result);
        return result;
      },
      (error) => {
        if (this.#failure === undefined) {
          this.#failure = error;
          this.#failed = by;
        }
        return undefined;
      },
    );
    this.#sent.push(sent);
    return sent;
  }
}

function leaveOut(tx: WorkTx, leftOut: LeftOut['leftOut']): LeftOut {
  tx.abandon();
  return { leftOut };
}
