import { randomUUID } from 'node:crypto';
import type { Relay } from './valkeyRelay.ts';

/** Maximum pending requests. Further ones are not sent and get no response. */
const MAX_WAITING = 10_000;

interface Question {
  id: string;
  from: string;
  to: string;
  body: object;
}

/**
 * Best-effort request/response between processes that share the data, through Valkey. Messages may be lost,
 * so every request needs a fallback.
 */
export class Asking {
  /** The id of this process. */
  readonly self: string = randomUUID();
  readonly #relay: Relay | undefined;
  readonly #waiting = new Map<string, (answer: object | undefined) => void>();

  constructor(relay: Relay | undefined) {
    this.#relay = relay;
    relay?.onNewsOf('answer', (all) => {
      for (const { id, body } of all as Question[]) this.#waiting.get(id)?.(body);
    });
  }

  /** Sets the handler for requests from other processes. */
  onAsked(answer: (body: object) => Promise<object>): void {
    this.#relay?.onNewsOf('question', (all) => {
      for (const { id, from, to, body } of all as Question[]) {
        if (to !== this.self) continue;
        answer(body)
          .then((found) => this.#relay?.tellOf('answer', { id, from: to, to: from, body: found }))
          .catch(() => {});
      }
    });
  }

  /** Returns the response of another process; undefined after `ms` milliseconds without one. */
  async ask(to: string, body: object, ms: number): Promise<object | undefined> {
    if (!this.#relay?.up || to === this.self || to === '' || this.#waiting.size >= MAX_WAITING)
      return undefined;
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<object | undefined>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => resolve(undefined), ms);
    this.#relay.tellOf('question', { id, from: this.self, to, body });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }
  }
}
