/** The running and queued tasks of one key. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * A fair concurrency limiter. Each key, which is the id of a server or of a tenant, has one slot of its own,
 * so that none has to wait for the receivers of another. `shared` additional slots are assigned round-robin
 * over keys, up to `perKey` slots per key. The tasks of a key start in call order.
 */
export class Slots {
  readonly #shared: number;
  readonly #perKey: number;
  /** The number of shared slots in use. */
  #taken = 0;
  readonly #lines = new Map<string, Line>();
  /** Keys with queued tasks, in round-robin order. */
  readonly #turns = new Set<Line>();

  constructor({ shared, perKey }: { shared: number; perKey: number }) {
    this.#shared = shared;
    this.#perKey = perKey;
  }

  /** Runs a task of a key once it has a slot. Rejects with the task's error. */
  async use<T>(key: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (!this.#start(line)) {
      this.#turns.add(line);
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.#end(line);
      if (line.running === 0) this.#lines.delete(key);
    }
  }

  /** Takes a slot. Returns false if there is none. */
  #start(line: Line): boolean {
    if (line.running > 0) {
      if (line.running >= this.#perKey || this.#taken >= this.#shared) return false;
      this.#taken++;
    }
    line.running++;
    return true;
  }

  /** Frees a slot, and starts the tasks that can run now. */
  #end(line: Line): void {
    line.running--;
    if (line.running > 0) this.#taken--;
    else if (this.#turns.has(line)) this.#startNext(line);
    for (const next of this.#turns) {
      if (this.#taken >= this.#shared) return;
      this.#startNext(next);
    }
  }

  /** Starts a key's first queued task if there is a slot, and moves the key to the back. */
  #startNext(line: Line): void {
    if (!this.#start(line)) return;
    this.#turns.delete(line);
    line.waiting.shift()?.();
    if (line.waiting.length > 0) this.#turns.add(line);
  }
}
