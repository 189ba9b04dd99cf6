import type { Task } from './batch.ts';

/** Maximum works in one transaction. */
const MAX_BATCH_WORKS = 128;
/** The time for which a server counts as contended after another transaction had it locked, in milliseconds. */
const CONTENDED_MS = 1_000;

/** A write that waits for its transaction. */
export interface Job extends Task {
  /** The time of the call to `write`, in milliseconds. */
  at: number;
  /** Further servers whose logs it appends to. */
  alsoIn: readonly string[];
  /** True if it needs a transaction of its server's own. */
  isAlone: boolean;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The writes of one server that wait. One transaction of this process at a time takes from them. */
export interface Lane {
  readonly serverId: string;
  jobs: Job[];
  isRunning: boolean;
}

/** What the next transaction takes: jobs, and the lanes that they are from. */
export interface Share {
  lanes: Lane[];
  jobs: Job[];
}

/** The lanes of all servers with writes under way, and which of them are contended: other nodes write to them too. */
export class Lanes {
  readonly #all = new Map<string, Lane>();
  /** Lanes with jobs that no transaction has taken, in the order of waiting. */
  readonly #waiting = new Set<Lane>();
  /** The time when a server was last found locked, by `performance.now()`, the oldest first. */
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

  /** The jobs of a waiting lane that need a transaction of its own; undefined if there are none. */
  takeAlone(): Share | undefined {
    for (const lane of this.#waiting) {
      const jobs = lane.jobs.filter(needsOwn).slice(0, MAX_BATCH_WORKS);
      if (jobs.length > 0) return this.#take([lane], jobs);
    }
    return undefined;
  }

  /** The jobs of all waiting lanes that are contended, or that are not, as far as one transaction takes them. */
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

  /** Notes that another transaction has the server. */
  missed(serverId: string): void {
    const now = performance.now();
    this.#missedAt.delete(serverId);
    this.#missedAt.set(serverId, now);
    for (const [other, at] of this.#missedAt) {
      if (now - at < CONTENDED_MS) break;
      this.#missedAt.delete(other);
    }
  }

  /** Ends the transaction that has taken these, and lets the jobs that it has left out wait again, before all others. */
  giveBack({ lanes }: Share, left: readonly Job[]): void {
    const leftOf = Map.groupBy(left, ({ serverId }) => serverId);
    // In reverse, so that the lane that was waited for comes last.
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
