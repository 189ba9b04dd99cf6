import { ApiError } from '../errors.ts';
import type { Bounds } from './bounds.ts';

/** Tasks that run for a while, by the name of their bound: that of one user is the same with `PerUser`. */
export type Task = 'uploads' | 'exports';

/** The most that may run at once. */
export type TaskBounds<T extends Task = Task> = Pick<Bounds, T | `${T}PerUser`>;

/** A refused client may try again after this time. */
const RETRY_SECONDS = '5';
const later = `try again in ${RETRY_SECONDS} s`;

/** What is said to those who are refused: of one user's, and of all. */
const words: Readonly<Record<Task, { ofUser(most: number): string; ofAll(most: number): string }>> = {
  uploads: {
    ofUser: (most) => `uploadsPerUser: ${most} uploads of this user are under way: ${later}`,
    ofAll: (most) => `uploads: ${most} uploads are under way: ${later}`,
  },
  exports: {
    ofUser: (most) => `exportsPerUser: ${most} copies of your data are under way: ${later}`,
    ofAll: (most) => `exports: ${most} copies of data are under way: ${later}`,
  },
};

/** The tasks of one kind that run on this node, which are bounded, of each user and of all. */
export class Running<T extends Task> {
  readonly #task: T;
  readonly #all: number;
  readonly #perUser: number;
  readonly #ofUsers = new Map<string, number>();
  #amount = 0;

  constructor(task: T, bounds: TaskBounds<T>) {
    this.#task = task;
    this.#all = bounds[task];
    this.#perUser = bounds[`${task}PerUser`];
  }

  /** The tasks that run. */
  get amount(): number {
    return this.#amount;
  }

  /** Counts a task until the returned function is called, once. Throws RATE_LIMITED if its user, or all users, have too many. */
  begin(userId: string): () => void {
    const own = this.#ofUsers.get(userId) ?? 0;
    if (own >= this.#perUser) throw full(words[this.#task].ofUser(this.#perUser));
    if (this.#amount >= this.#all) throw full(words[this.#task].ofAll(this.#all));
    this.#amount++;
    this.#ofUsers.set(userId, own + 1);
    return () => {
      this.#amount--;
      const left = (this.#ofUsers.get(userId) ?? 0) - 1;
      if (left > 0) this.#ofUsers.set(userId, left);
      else this.#ofUsers.delete(userId);
    };
  }
}

const full = (message: string): ApiError =>
  new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
