import type { Bound } from './compile.ts';
import type { Result } from './connection.ts';
import { isWorthTrying } from './errors.ts';
import type { Pool } from './pool.ts';
import { afterTurn } from './turn.ts';

/** Maximum attempts for a read that fails because of a lost connection or a schema change. */
const MAX_ATTEMPTS = 3;

/**
 * Reads with values longer than this, in characters, are never shared, because comparing them would cost more
 * than sharing saves.
 */
const MAX_COMPARED = 1_000;

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > MAX_COMPARED;

/** Reads outside of transactions. They see committed data. */
export class Reads {
  readonly #pool: Pool;
  /**
   * Reads from this turn of the event loop, by query and values. Each turn uses a new map, because V8 links a
   * map's tables across `clear`: once an old table is in the old generation, the responses of all later turns
   * are promoted as well, and only a slow major garbage collection frees them.
   */
  #asked = new Map<object, Map<string, Promise<Result>>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Runs a read. Equal reads in the same turn of the event loop share one response. Statements are sent
   * after the turn, so the response is never older than any of the calls.
   */
  run(bound: Bound): Promise<Result> {
    const { compiled, values } = bound;
    if (values.some(isLong)) return retried(() => this.#pool.read(bound));
    if (this.#asked.size === 0)
      afterTurn(() => {
        this.#asked = new Map();
      });
    let answers = this.#asked.get(compiled);
    if (!answers) {
      answers = new Map();
      this.#asked.set(compiled, answers);
    }
    const key = JSON.stringify(values);
    let answer = answers.get(key);
    if (!answer) {
      answer = retried(() => this.#pool.read(bound));
      answers.set(key, answer);
    }
    return answer;
  }

  /** Runs a slow read immediately, on its own connection. */
  runApart(bound: Bound): Promise<Result> {
    return retried(() => this.#pool.readApart(bound));
  }
}

async function retried(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!isWorthTrying(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
