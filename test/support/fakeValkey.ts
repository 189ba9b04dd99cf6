import { setImmediate as turn } from 'node:timers/promises';
import type { Valkey } from '../../server/src/lib/valkey.ts';
import { markScript } from '../../server/src/limits/scripts.ts';

/** Turns of the event loop until a call returns. */
const ANSWER_TURNS = 4;

/** A plus sign marks the limit of a ceiling. */
const isCeiling = (arg: unknown): boolean => String(arg).startsWith('+');

/**
 * A Valkey server that only knows the limiter's two scripts, on a clock that stands still until the test moves it.
 * All nodes of a test connect to it with `client`.
 */
export class FakeValkey {
  now = 1_800_000_000_000;
  up = true;
  /** The calls that fail even though the server is up. */
  failing: 'nothing' | 'takes' | 'everything' = 'nothing';
  /** The keys of each call that takes slots. */
  readonly calls: string[][] = [];
  readonly window: number;
  #logs = new Map<string, number[]>();
  #mark: string | undefined;
  readonly #listeners: (() => void)[] = [];

  /** `window` is in milliseconds. */
  constructor(window: number) {
    this.window = window;
  }

  get client(): Valkey {
    const client = {
      onUp: (listener: () => void) => {
        this.#listeners.push(listener);
        if (this.up) listener();
      },
      script: (lua: string) => (keys: readonly string[], args: readonly (string | number)[]) =>
        this.#run(lua, keys, args),
    };
    Object.defineProperty(client, 'up', { get: () => this.up });
    return client as Valkey;
  }

  /** Becomes reachable. Resolves when the nodes have noticed and reported. */
  async return(): Promise<void> {
    this.up = true;
    for (const listener of this.#listeners) listener();
    for (let turns = 0; turns < 40; turns++) await turn();
  }

  forget(): void {
    this.#logs.clear();
    this.#mark = undefined;
  }

  /** The number of slots taken in a window. */
  taken(key: string): number {
    return this.#held(key).length;
  }

  async #run(lua: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (lua !== markScript) this.calls.push([...keys]);
    for (let turns = 0; turns < ANSWER_TURNS; turns++) await turn();
    const isFailing = this.failing === 'everything' || (this.failing === 'takes' && lua !== markScript);
    if (!this.up || isFailing) throw new Error('out of reach');
    if (lua !== markScript) return this.#take(keys, args.slice(1));
    this.#mark ??= String(args[0]);
    return this.#mark;
  }

  #take(keys: readonly string[], args: readonly (string | number)[]): number[] {
    const answers: number[] = [];
    for (const [index, key] of keys.entries()) {
      if (isCeiling(args[index])) continue;
      const windows = [this.#read(key, args[index])];
      const ceiling = keys[index + 1];
      if (ceiling && isCeiling(args[index + 1])) windows.push(this.#read(ceiling, args[index + 1]));
      const isTaken = windows.every(({ limit, times }) => times.length < limit);
      for (const { limit, times } of windows) {
        const free = limit - times.length;
        if (isTaken) times.push(this.now);
        const oldest = times[Math.max(0, times.length - limit)] ?? this.now;
        answers.push(free > 0 ? free - (isTaken ? 1 : 0) : -1, oldest + this.window - this.now);
      }
    }
    return answers;
  }

  /** Reads an argument: the limit, then the ages of reported requests. */
  #read(key: string, arg: string | number = 0): { limit: number; times: number[] } {
    const [limit, ...ages] = String(arg).split(' ');
    const times = [...this.#held(key), ...ages.map((age) => this.now - Number(age))];
    times.sort((one, other) => one - other);
    this.#logs.set(key, times);
    return { limit: Number(limit), times };
  }

  #held(key: string): number[] {
    return (this.#logs.get(key) ?? []).filter((time) => time > this.now - this.window);
  }
}
