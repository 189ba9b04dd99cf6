import { ApiError } from '../errors.ts';
import { TenantShares } from '../lib/tenantShares.ts';
import type { Bounds } from './bounds.ts';

/**
 * The long-running tasks with a concurrency limit. Each is named after its limit; the limit per user has the
 * suffix `PerUser`.
 */
export type Task = 'uploads' | 'exports';

/** The concurrency limits of a task: per node and per user. */
export type TaskBounds<T extends Task = Task> = Pick<Bounds, T | `${T}PerUser`>;

/** The `Retry-After` header of rejected requests, in seconds. */
const RETRY_SECONDS = '5';
const later = `try again in ${RETRY_SECONDS} s`;

/** The error messages for the three limits: the user's, the tenant's share, and the node's. */
const words: Readonly<Record<Task, Record<'ofUser' | 'ofTenant' | 'ofAll', (most: number) => string>>> = {
  uploads: {
    ofUser: (most) => `uploadsPerUser: ${most} uploads of this user are in progress: ${later}`,
    ofTenant: (most) =>
      `uploads: you have used up your share of the ${most} uploads that can be in progress: ${later}`,
    ofAll: (most) => `uploads: ${most} uploads are in progress: ${later}`,
  },
  exports: {
    ofUser: (most) => `exportsPerUser: ${most} exports of your data are in progress: ${later}`,
    ofTenant: (most) =>
      `exports: you have used up your share of the ${most} exports that can be in progress: ${later}`,
    ofAll: (most) => `exports: ${most} data exports are in progress: ${later}`,
  },
};

/** Enforces the concurrency limits of one kind of task on this node. */
export class Running<T extends Task> {
  readonly #task: T;
  readonly #all: TenantShares;
  readonly #perUser: number;
  readonly #ofUsers = new Map<string, number>();

  constructor(task: T, bounds: TaskBounds<T>) {
    this.#task = task;
    this.#all = new TenantShares(bounds[task]);
    this.#perUser = bounds[`${task}PerUser`];
  }

  /** The number of tasks that are running. */
  get amount(): number {
    return this.#all.amount;
  }

  /**
   * Counts a task as running until the returned function is called; call it exactly once. Throws RATE_LIMITED
   * if the user or the node is at its limit, or the tenant has used up its share.
   */
  begin(userId: string, tenant: string): () => void {
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= this.#perUser) throw full(words[this.#task].ofUser(this.#perUser));
    const { most, isFull } = this.#all;
    if (isFull) throw full(words[this.#task].ofAll(most));
    if (this.#all.isUsedUpBy(tenant)) throw full(words[this.#task].ofTenant(most));
    this.#all.add(tenant, 1);
    this.#ofUsers.set(userId, own + 1);
    return () => {
      this.#all.add(tenant, -1);
      const left = (this.#ofUsers.get(userId) ?? 0) - 1;
      if (left > 0) this.#ofUsers.set(userId, left);
      else this.#ofUsers.delete(userId);
    };
  }
}

const full = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
