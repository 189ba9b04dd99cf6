import type { Bound, Many } from './compile.ts';
import type { Result } from './connection.ts';
import { afterTurn } from './turn.ts';

type Send = (bound: Bound) => Promise<Result>;

interface Asked {
  bound: Bound;
  value: string;
  answer: PromiseWithResolvers<Result>;
}

/**
 * Gathers reads of rows by the value of one column. Those that differ in the value alone become one statement, whose rows
 * are shared out among them.
 */
export class Gathered {
  readonly #send: Send;
  readonly #asked = new Map<Many, Asked[]>();

  constructor(send: Send) {
    this.#send = send;
  }

  /** The answer to a read, which `sendAll` sends. Other reads than those above are sent at once. */
  ask(bound: Bound): Promise<Result> {
    const { many } = bound.compiled;
    const [value] = bound.values;
    if (!many || typeof value !== 'string') return this.#send(bound);
    if (this.#asked.size === 0) afterTurn(() => this.sendAll());
    const asked: Asked = { bound, value, answer: Promise.withResolvers() };
    const others = this.#asked.get(many);
    if (others) others.push(asked);
    else this.#asked.set(many, [asked]);
    return asked.answer.promise;
  }

  /** Sends what is gathered. Without a call, it is sent after this turn of the event loop. */
  sendAll(): void {
    for (const [many, asked] of this.#asked) {
      const [first] = asked as [Asked];
      if (asked.length === 1) this.#send(first.bound).then(first.answer.resolve, first.answer.reject);
      else void this.#sendMany(many, asked);
    }
    this.#asked.clear();
  }

  async #sendMany({ compiled, column }: Many, asked: Asked[]): Promise<void> {
    try {
      const result = await this.#send({ compiled, values: [asked.map(({ value }) => value)] });
      const rows = Map.groupBy(result.rows, (row) => row[column]);
      for (const { value, answer } of asked) answer.resolve({ ...result, rows: rows.get(value) ?? [] });
    } catch (error) {
      for (const { answer } of asked) answer.reject(error);
    }
  }
}
