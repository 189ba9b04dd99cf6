import type { Bound } from './compile.ts';
import type { Result } from './connection.ts';
import { ConnectionLost } from './errors.ts';
import type { Pool } from './pool.ts';

/** How often a read is sent, if its connection is lost each time. */
const MAX_ATTEMPTS = 3;

/** Reads outside of transactions: they see what is committed. */
export class Reads {
  readonly #pool: Pool;
  /** Those of this turn of the event loop, by query and values. */
  readonly #asked = new Map<object, Map<string, Promise<Result>>>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /**
   * Those who ask for the same in one turn of the event loop share the answer. Nothing is sent before the turn has ended, so
   * that none of them gets what was before it asked.
   */
  run(bound: Bound): Promise<Result> {
    const { compiled, values } = bound;
    if (this.#asked.size === 0) setImmediate(() => this.#asked.clear());
    let answers = this.#asked.get(compiled);
    if (!answers) {
      answers = new Map();
      this.#asked.set(compiled, answers);
    }
    const key = JSON.stringify(values);
    let answer = answers.get(key);
    if (!answer) {
      answer = this.#send(bound);
      answers.set(key, answer);
    }
    return answer;
  }

  async #send(bound: Bound): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#pool.share();
      try {
        return await connection.query(bound);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}
