import { ApiError } from '../errors.ts';
import type { Bounds } from './bounds.ts';

/** Tasks that run for a while, by the name of their bound: that of one user is the same with `PerUser`. */
export type Task = 'uploads' | 'exports';

/** The most that may run at once. */
export type TaskBounds<T extends Task = Task> = Pick<Bounds, T | `${T}PerUser`>;

/** A refused client may try again after this time. */
const RETRY_SECONDS = '5';

/** The tasks of one kind that run on this node, which are bounded, of each user and of all. */
export class Running<T extends Task> {
  readonly #task: T;
  readonly #words: string;
  readonly #all: number;
  readonly #perUser: number;
  readonly #ofUsers = new Map<string, number>();
  #amount = 0;

  /** `words` are the tasks in words, for those who are refused. */
  constructor(task: T, words: string, bounds: TaskBounds<T>) {
    this.#task = task;
    this.#words = words;
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
    if (own >= this.#perUser)
      throw this.#full(`${this.#task}PerUser: ${this.#perUser} ${this.#words} of this user are under way`);
    if (this.#amount >= this.#all)
      throw this.#full(`${this.#task}: ${this.#all} ${this.#words} are under way`);
    this.#amount++;
    this.#ofUsers.set(userId, own + 1);
    return () => {
      this.#amount--;
      const left = (this.#ofUsers.get(userId) ?? 0) - 1;
      if (left > 0) this.#ofUsers.set(userId, left);
      else this.#ofUsers.delete(userId);
    };
  }

  #full(message: string): ApiError {
    return new ApiError('RATE_LIMITED', `${message}: try again in ${RETRY_SECONDS} s`, undefined, {
      'retry-after': RETRY_SECONDS,
    });
  }
}
