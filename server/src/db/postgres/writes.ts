import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, StorageError, Unavailable } from '../contract.ts';
import type { Authority } from './authority.ts';
import { Batch } from './batch.ts';
import { ConnectionLost, isWorthTrying, Locked, TookTooLong } from './errors.ts';
import { type Job, type Lane, Lanes, type Share } from './lanes.ts';
import type { Locks } from './locks.ts';
import type { Pool } from './pool.ts';
import type { LeftOut, Outcome, Work } from './work.ts';

/** Maximum attempts for a transaction, and the maximum pause between two attempts. */
const MAX_ATTEMPTS = 10;
const MAX_RETRY_PAUSE_MS = 50;
/**
 * Maximum concurrent transactions with several servers. Writes that arrive in the meantime share the next
 * transaction.
 */
const MAX_SHARED = 4;
/** Maximum concurrent transactions for contended servers. Each waits for a different server. */
const MAX_CONTENDED = 3;
/** A transaction that takes longer than this no longer counts towards `MAX_SHARED`. */
const SLOW_MS = 100;

/** A write that has waited this long does not try to get a lock again. */
const LOCK_PATIENCE_MS = 5_000;

/** The parts of the engine that transactions use. */
export interface Engine {
  authority: Pick<Authority, 'ask' | 'committed'>;
  /** Called after a commit that inserted into `sweep`. */
  marked(): void;
  /** Called after a commit, with the number of its writes. */
  committed(works: number): void;
}

/**
 * The outcome of a transaction: the outcome of each write, or the error and the writes that may have caused
 * it.
 */
type End = { outcomes: (Outcome | LeftOut)[] } | { failure: unknown; suspects: ReadonlySet<Work> };

/**
 * The write scheduler of this process. All queued writes share the next transaction, regardless of their
 * servers. A slow disk or network therefore leads to fewer commits instead of longer queues.
 *
 * - Servers locked by another node are skipped. Their writes go into a transaction that waits briefly for one
 *   of these servers, round-robin.
 * - A server that stays locked, writes that could delay others, and writes that made a transaction fail each
 *   get their own transaction.
 * - Conflicts and lost connections are retried with jitter, up to `MAX_ATTEMPTS`, but never after the commit
 *   was sent: its outcome is then unknown, and the writes fail as `Unavailable`.
 */
export class Writes {
  readonly #pool: Pool;
  readonly #figures: Figures;
  readonly #engine: Engine;
  readonly #lanes = new Lanes();
  readonly #running = new Set<Promise<void>>();
  /** Maximum number of concurrent transactions that each wait for one contended server. */
  readonly #maxWaiting: number;
  /** The servers for which these transactions wait. */
  readonly #waitingFor = new Set<string>();
  #shared = 0;
  #contended = 0;
  #isScheduled = false;

  /** @param connections The size of the pool. */
  constructor(pool: Pool, connections: number, figures: Figures, engine: Engine) {
    this.#pool = pool;
    this.#maxWaiting = Math.floor(connections / 3);
    this.#figures = figures;
    this.#engine = engine;
  }

  add(job: Job): void {
    if (job.serverId === undefined) {
      this.#track(this.#settle([job]));
    } else {
      this.#lanes.add(job.serverId, job);
      this.#schedule();
    }
  }

  /** Resolves once all writes have ended. */
  async end(): Promise<void> {
    while (this.#running.size > 0 || this.#isScheduled) {
      await Promise.all(this.#running);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /**
   * Starts transactions after this turn of the event loop, so that all writes that were requested in it share
   * them.
   */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    for (let alone = this.#lanes.takeAlone(); alone; alone = this.#lanes.takeAlone()) {
      const [{ serverId }] = alone.lanes as [Lane];
      const settling = this.#settle(alone.jobs).finally(() => this.#waitingFor.delete(serverId));
      this.#run(
        alone,
        settling.then(() => []),
      );
    }
    while (this.#shared < MAX_SHARED) {
      const share = this.#lanes.takeShared(false);
      if (!share) break;
      this.#run(share, this.#counted(this.#share(share, 'none')));
    }
    while (this.#contended < MAX_CONTENDED) {
      const share = this.#lanes.takeShared(true);
      if (!share) break;
      this.#contended++;
      const sharing = this.#share(share, share.lanes[0] as Lane).finally(() => {
        this.#contended--;
      });
      this.#run(share, sharing);
    }
  }

  /** Counts a shared transaction until it ends or becomes slow. */
  #counted<T>(running: Promise<T>): Promise<T> {
    this.#shared++;
    let isCounted = true;
    const end = (): void => {
      if (isCounted) this.#shared--;
      isCounted = false;
      this.#schedule();
    };
    const timer = setTimeout(end, SLOW_MS);
    return running.finally(() => {
      clearTimeout(timer);
      end();
    });
  }

  /** Tracks a transaction until it ends. `running` resolves to the jobs that the transaction skipped. */
  #run(share: Share, running: Promise<readonly Job[]>): void {
    const done = running.then((left) => {
      this.#lanes.giveBack(share, left);
      this.#schedule();
    });
    this.#track(done);
  }

  /**
   * Runs writes for several servers in one transaction. Returns the jobs that have to wait for another
   * transaction.
   */
  async #share({ lanes, jobs }: Share, waitsFor: 'none' | Lane): Promise<Job[]> {
    const servers = new Set(lanes.map(({ serverId }) => serverId));
    const end = await this.#perform(jobs, { servers, waitsFor });
    if ('outcomes' in end) return this.#settleShared(jobs, end.outcomes, waitsFor);
    const { failure, suspects } = end;
    if (failure instanceof Locked && suspects.size === 0) {
      for (const { serverId } of lanes) this.#lanes.missed(serverId);
      const left = jobs.filter((job) => !hasExpired(job, failure));
      if (waitsFor !== 'none' && this.#waitingFor.size < this.#maxWaiting) {
        // These jobs get their own transaction, which waits in PostgreSQL's lock queue and delays no others.
        const own = left.filter(({ serverId }) => serverId === waitsFor.serverId);
        if (own.length > 0) this.#waitingFor.add(waitsFor.serverId);
        for (const job of own) job.isAlone = true;
      }
      return left;
    }
    if (failure instanceof StorageError && !isOfSome(failure)) {
      for (const job of jobs) job.reject(failure);
      return [];
    }
    for (const job of jobs) if (suspects.size === 0 || suspects.has(job.work)) job.isAlone = true;
    return jobs;
  }

  #settleShared(
    jobs: readonly Job[],
    outcomes: readonly (Outcome | LeftOut)[],
    waitsFor: 'none' | Lane,
  ): Job[] {
    return jobs.filter((job, index) => {
      const outcome = outcomes[index] as Outcome | LeftOut;
      if (!('leftOut' in outcome)) {
        settle(job, outcome);
        return false;
      }
      const { leftOut } = outcome;
      if (leftOut !== 'locked') {
        job.isAlone = leftOut === 'turn';
        return true;
      }
      this.#lanes.missed(job.serverId as string);
      // The transaction waited for this server's lock, but the row does not exist, so nothing holds the lock.
      job.isAlone = waitsFor !== 'none' && waitsFor.serverId === job.serverId;
      return !hasExpired(job, new Locked('PostgreSQL waited too long for a lock'));
    });
  }

  /**
   * Runs writes for one server in one transaction. If that fails because of a write, runs each in its own
   * transaction.
   */
  async #settle(jobs: readonly Job[]): Promise<void> {
    const [{ serverId }] = jobs as [Job];
    const servers = serverId === undefined ? [] : [serverId, ...jobs.flatMap(({ alsoIn }) => alsoIn)];
    const end = await this.#perform(jobs, { servers: new Set(servers), waitsFor: 'all' });
    if ('outcomes' in end) {
      for (const [index, job] of jobs.entries()) settle(job, end.outcomes[index] as Outcome);
      return;
    }
    const { failure, suspects } = end;
    if (jobs.length > 1 && !(failure instanceof StorageError)) {
      for (const job of jobs) await this.#settle([job]);
      return;
    }
    // The suspects' statements waited or ran too long, so the other writes did not cause the failure.
    const others =
      isOfSome(failure) && suspects.size > 0 ? jobs.filter(({ work }) => !suspects.has(work)) : [];
    for (const job of jobs) if (!others.includes(job)) job.reject(failure);
    if (others.length > 0) await this.#settle(others);
  }

  async #perform(jobs: readonly Job[], locks: Locks): Promise<End> {
    for (let attempt = 1; ; attempt++) {
      const since = Math.min(...jobs.map(({ at }) => at));
      const connection = await this.#pool.lease(since).catch((failure: unknown) => ({ failure }));
      if ('failure' in connection) return { ...connection, suspects: new Set() };
      const batch = new Batch(connection, this.#engine.authority, locks);
      let failure: unknown;
      try {
        const outcomes = await batch.run(jobs);
        const works = outcomes.filter((outcome) => !('leftOut' in outcome)).length;
        if (works > 0) this.#figures.batches++;
        this.#figures.works += works;
        if (batch.hasMarked) this.#engine.marked();
        this.#engine.committed(works);
        return { outcomes };
      } catch (error) {
        failure = error;
      } finally {
        this.#pool.release(connection);
        if (batch.commitSent && batch.concerned.size > 0) {
          // After a failure, no version is passed: if the transaction was rolled back, another change will get
          // the same version.
          const version = failure === undefined ? batch.version : undefined;
          this.#engine.authority.committed(batch.concerned, version);
        }
      }
      const { suspects } = batch;
      if (failure instanceof ConnectionLost && batch.commitSent) {
        const why = 'the connection was lost during the commit: the write may or may not have been committed';
        return { failure: new Unavailable(why), suspects };
      }
      // A shared transaction that ran into a lock is rebuilt with other writes instead.
      const isPatient = locks.waitsFor === 'all' && Date.now() - since < LOCK_PATIENCE_MS;
      if (!isWorthTrying(failure) || (failure instanceof Locked && !isPatient)) return { failure, suspects };
      if (attempt === MAX_ATTEMPTS) {
        const why = `gave up after ${attempt} attempts: ${failure.message}`;
        return { failure: new Unavailable(why), suspects };
      }
      this.#figures.retries++;
      await sleep(Math.random() * Math.min(MAX_RETRY_PAUSE_MS, 2 ** attempt));
    }
  }
}

/** Whether a single statement failed, which affects only the writes that sent it. */
const isOfSome = (failure: unknown): boolean => failure instanceof Locked || failure instanceof TookTooLong;

function settle(job: Job, outcome: Outcome): void {
  if ('error' in outcome) job.reject(outcome.error);
  else job.resolve(outcome.value);
}

/** Rejects a job that has waited too long for a lock. Returns true if it was rejected. */
function hasExpired(job: Job, failure: Locked): boolean {
  if (Date.now() - job.at < LOCK_PATIENCE_MS) return false;
  job.reject(failure);
  return true;
}
