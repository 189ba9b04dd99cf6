import type { Bound } from './compile.ts';
import type { Result } from './connection.ts';
import { afterTurn } from './turn.ts';

type Many = NonNullable<Bound['compiled']['many']>;
type Send = (bound: Bound) => Promise<Result>;

interface Asked {
  bound: Bound;
  answer: PromiseWithResolvers<Result>;
}

/**
 * Batches reads. Reads that differ only in their values become one statement, and its rows are distributed
 * among them.
 */
export class Gathered {
  readonly #send: Send;
  readonly #asked = new Map<Many, Asked[]>();
  /** The results so far, keyed by query and values. */
  readonly #answers = new Map<object, Map<string, Promise<Result>>>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** Like `ask`, but identical reads share one response. */
  share(bound: Bound): Promise<Result> {
    const { compiled, values } = bound;
    let answers = this.#answers.get(compiled);
    if (!answers) {
      answers = new Map();
      this.#answers.set(compiled, answers);
    }
    const key = JSON.stringify(values);
    let answer = answers.get(key);
    if (!answer) {
      answer = this.ask(bound);
      answers.set(key, answer);
    }
    return answer;
  }

  /**
   * Returns the response to a read, which `sendAll` sends. Reads that cannot be combined are sent
   * immediately.
   */
  ask(bound: Bound): Promise<Result> {
    const { many } = bound.compiled;
    if (!many || !bound.values.every((value) => typeof value === 'string')) return this.#send(bound);
    if (this.#asked.size === 0) afterTurn(() => this.sendAll());
    const asked: Asked = { bound, answer: Promise.withResolvers() };
    const others = this.#asked.get(many);
    if (others) others.push(asked);
    else this.#asked.set(many, [asked]);
    return asked.answer.promise;
  }

  /** Sends the batch now, instead of after this turn of the event loop. */
  sendAll(): void {
    for (const [many, asked] of this.#asked) {
      const [first] = asked as [Asked];
      if (asked.length === 1) this.#send(first.bound).then(first.answer.resolve, first.answer.reject);
      else void this.#sendMany(many, asked);
    }
    this.#asked.clear();
  }

  async #sendMany(many: Many, asked: Asked[]): Promise<void> {
    try {
      const values = many.valuesOf(asked.map(({ bound }) => bound));
      const result = await this.#send({ compiled: many.compiled, values });
      const rows = Map.groupBy(result.rows, (row) => many.keyOfRow(row));
      for (const [place, { bound, answer }] of asked.entries())
        answer.resolve({ ...result, rows: rows.get(many.keyOf(bound, place)) ?? [] });
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  }
}
