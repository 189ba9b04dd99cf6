import type { Task } from './batch.ts';

/** Maximum writes per transaction. */
const MAX_BATCH_WORKS = 128;
/** A server counts as contended for this time, in milliseconds, after its lock was found taken. */
const CONTENDED_MS = 1_000;

/** A queued write. */
export interface Job extends Task {
  /** When `write` was called, in milliseconds. */
  at: number;
  /** Additional servers to whose logs the write appends. */
  alsoIn: readonly string[];
  /** Whether the write needs a transaction that involves no other server. */
  isAlone: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The queue of one server's writes. Only one transaction of this process takes writes from it at a time. */
export interface Lane {
  readonly serverId: string;
  jobs: Job[];
  isRunning: boolean;
}

/** The jobs for the next transaction, and the lanes that they come from. */
export interface Share {
  lanes: Lane[];
  jobs: Job[];
}

/**
 * The write queues of all servers. Tracks which servers are contended, which means that other nodes also
 * write to them.
 */
export class Lanes {
  readonly #all = new Map<string, Lane>();
  /** Lanes with jobs that no transaction has taken, oldest first. */
  readonly #waiting = new Set<Lane>();
  /** When a server was last found locked, on the clock of `performance.now()`, oldest first. */
  readonly #missedAt = new Map<string, number>();

  add(serverId: string, job: Job): void {
    let lane = this.#all.get(serverId);
    if (!lane) {
      lane = { serverId, jobs: [], isRunning: false };
      this.#all.set(serverId, lane);
    }
    lane.jobs.push(job);
    if (!lane.isRunning) this.#waiting.add(lane);
  }

  /** Returns a waiting lane's jobs that need their own transaction; undefined if there are none. */
  takeAlone(): Share | undefined {
    for (const lane of this.#waiting) {
      const jobs = lane.jobs.filter(needsOwn).slice(0, MAX_BATCH_WORKS);
      if (jobs.length > 0) return this.#take([lane], jobs);
    }
    return undefined;
  }

  /**
   * Takes the jobs of the waiting lanes, either the contended or the uncontended ones, up to the maximum for
   * one transaction.
   */
  takeShared(isContended: boolean): Share | undefined {
    const lanes: Lane[] = [];
    const jobs: Job[] = [];
    for (const lane of this.#waiting) {
      if (jobs.length >= MAX_BATCH_WORKS) break;
      if (this.#isContended(lane) !== isContended) continue;
      lanes.push(lane);
      jobs.push(...lane.jobs.slice(0, MAX_BATCH_WORKS - jobs.length));
    }
    return lanes.length > 0 ? this.#take(lanes, jobs) : undefined;
  }

  /** Records that another transaction holds the server's lock. */
  missed(serverId: string): void {
    const now = performance.now();
    this.#missedAt.delete(serverId);
    this.#missedAt.set(serverId, now);
    for (const [other, at] of this.#missedAt) {
      if (now - at < CONTENDED_MS) break;
      this.#missedAt.delete(other);
    }
  }

  /**
   * Called when the transaction that took this share ends. The jobs that it skipped go back to the front of
   * their queues.
   */
  giveBack({ lanes }: Share, left: readonly Job[]): void {
    const leftOf = Map.groupBy(left, ({ serverId }) => serverId);
    // Goes through the lanes in reverse order, so the lane whose lock the transaction waited for is queued
    // last.
    for (const lane of lanes.toReversed()) {
      lane.isRunning = false;
      lane.jobs.unshift(...(leftOf.get(lane.serverId) ?? []));
      if (lane.jobs.length > 0) this.#waiting.add(lane);
      else this.#all.delete(lane.serverId);
    }
  }

  #isContended({ serverId }: Lane): boolean {
    const at = this.#missedAt.get(serverId);
    return at !== undefined && performance.now() - at < CONTENDED_MS;
  }

  #take(lanes: Lane[], jobs: Job[]): Share {
    const taken = new Set(jobs);
    for (const lane of lanes) {
      lane.isRunning = true;
      this.#waiting.delete(lane);
      lane.jobs = lane.jobs.filter((job) => !taken.has(job));
    }
    return { lanes, jobs };
  }
}

const needsOwn = ({ isAlone, alsoIn }: Job): boolean => isAlone || alsoIn.length > 0;
