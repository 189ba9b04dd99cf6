import { type AnyTimer, releaseTimer, removeTimer, setTimer } from '../clock/timers.ts';
import type { RowOf } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import type { Services } from '../operations/services.ts';
import type { Work } from '../operations/work.ts';
import { Lost, whileClaimed } from '../resources/claimed.ts';

type Table = 'export' | 'personExport' | 'import';

/** The lease of a job, in ms. If it is not renewed, another node continues the job. */
const LEASE_MS = { export: 60_000, personExport: 60_000, import: 15_000 };
/** How often a running job renews its lease and records its progress, in ms. */
const RENEW_MS = { export: 15_000, personExport: 15_000, import: 1_000 };
/** Delay before a job is retried if this node has no capacity for it now, in ms. */
const WAIT_MS = { export: 15_000, personExport: 15_000, import: 5_000 };
/** A failed attempt is not retried if the job was created longer ago than this, in ms. */
const LONGEST_MS = 24 * 60 * 60_000;

/** An export or import that can run. */
interface Job {
  /**
   * Reserves capacity of this node until the returned function is called. Returns undefined if none is left.
   */
  begin(): (() => void) | undefined;
  /** Writes the progress of the job. */
  note(work: Work): Promise<void>;
  run(claim: Claim): Promise<void>;
  /**
   * Handles an error of `run`, and rethrows it to retry the job. With `isLate`, there is no time left for a
   * retry.
   */
  fail(claim: Claim, error: unknown, isLate: boolean): Promise<void>;
}

/** The claims of running jobs by id, for each database. */
const running = new WeakMap<object, Map<string, Claim>>();

/** A claim on the job of an export or import. It is renewed while the job runs. */
export class Claim {
  readonly #services: Services;
  readonly #table: Table;
  readonly #note: Job['note'];
  #timer: AnyTimer;
  #last: Promise<unknown> = Promise.resolve();
  #isLost = false;
  /** Whether the claim was lost because the export or import was deleted. */
  isDeleted = false;

  private constructor(services: Services, timer: AnyTimer, table: Table, note: Job['note']) {
    this.#services = services;
    this.#timer = timer;
    this.#table = table;
    this.#note = note;
  }

  /**
   * Starts or continues the job of a claimed timer in the background. `onError` gets the error of an attempt
   * that will be retried.
   */
  static async start<T extends Table>(
    services: Services,
    timer: AnyTimer,
    table: T,
    onError: (error: unknown) => void,
    jobOf: (row: RowOf<T>) => Job,
  ): Promise<void> {
    const { db, deps } = services;
    const { id, serverId } = timer;
    const claims = running.get(db) ?? new Map<string, Claim>();
    running.set(db, claims);
    const own = claims.get(id);
    if (own && !own.#isLost) {
      // The job is already running here. Its lease expired because the renewal was too slow, so this node
      // claimed the timer again.
      own.#timer = timer;
      return;
    }
    const row: RowOf<Table> | undefined = await db.read.first(find<Table>(table, { id }));
    if (row?.state !== 'running') return db.write((tx) => removeTimer(tx, id), serverId ?? undefined);
    const job = jobOf(row as RowOf<T>);
    const end = own ? undefined : job.begin();
    if (!end) {
      const now = deps.now();
      const later = { id, kind: table, serverId, dueAt: now + WAIT_MS[table], now };
      return db.write((tx) => setTimer(tx, later), serverId ?? undefined);
    }
    const claim = new Claim(services, timer, table, (work) => job.note(work));
    claims.set(id, claim);
    const release = () => {
      claims.delete(id);
      end();
    };
    try {
      await claim.renew();
    } catch (error) {
      release();
      if (error instanceof Lost) return;
      throw error;
    }
    const stop = claim.#keep();
    const done = job
      .run(claim)
      .catch((error) => {
        if (error instanceof Lost) return;
        return job.fail(claim, error, deps.now() - row.createdAt > LONGEST_MS);
      })
      .catch((error) => {
        // Another attempt follows when the lease expires.
        if (!(error instanceof Lost)) onError(error);
      })
      .finally(async () => {
        stop();
        if (services.background.signal.aborted) await claim.#release();
        release();
      });
    services.background.add(done);
  }

  /** Throws Lost if the claim is lost, or the node is stopping. */
  check(): void {
    if (this.#isLost || this.#services.background.signal.aborted) throw new Lost();
  }

  /** Runs a write if the claim still holds. Throws Lost. */
  within<T>(task: (work: Work) => Promise<T>): Promise<T> {
    return this.#inTurn(() => this.#write(task));
  }

  /** Runs writes one after another, because each depends on the lease that the previous one set. */
  #inTurn<T>(write: () => Promise<T>): Promise<T> {
    const written = this.#last.then(write);
    this.#last = written.catch(() => {});
    return written;
  }

  #write<T>(task: (work: Work) => Promise<T>): Promise<T> {
    const { id } = this.#timer;
    return whileClaimed(this.#services, this.#timer, async (work) => {
      if (!(await work.db.first(find(this.#table, { id })))) throw new Lost();
      return task(work);
    });
  }

  /** Renews the lease and records the progress of the job. Throws Lost. */
  renew(): Promise<void> {
    return this.#inTurn(async () => {
      const { id, kind, serverId } = this.#timer;
      const dueAt = await this.#write(async (work) => {
        const { db, now } = work;
        await this.#note(work);
        const until = now + LEASE_MS[this.#table];
        await setTimer(db, { id, kind, serverId, dueAt: until, now });
        return until;
      });
      this.#timer = { ...this.#timer, dueAt };
    });
  }

  /** Releases the claim, so that another node can continue the job immediately. */
  async #release(): Promise<void> {
    const { db, deps } = this.#services;
    // If the database is unavailable, another node continues the job when the lease expires.
    await this.#inTurn(() => releaseTimer(db, this.#timer, deps.now())).catch(() => {});
  }

  /** Renews the lease until the returned function is called. */
  #keep(): () => void {
    const renewing = setInterval(() => {
      // If a renewal fails, it is retried before the lease expires.
      void this.renew().catch((error) => (error instanceof Lost ? this.#lose() : undefined));
    }, RENEW_MS[this.#table]).unref();
    return () => clearInterval(renewing);
  }

  async #lose(): Promise<void> {
    const { id } = this.#timer;
    const found = await this.#services.db.read.first(find(this.#table, { id })).catch(() => ({}));
    this.isDeleted = found === undefined;
    this.#isLost = true;
  }
}
