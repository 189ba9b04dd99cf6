/** The works of one server, under way and waiting. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Slots for concurrent requests, fair to servers. Each server has one slot of its own, so that none waits until another
 * server's receivers have answered. Beside them are `shared` slots, given to the servers in turn. A server has
 * `perServer` slots at most. Its works start in the order of their calls.
 */
export class Slots {
  readonly #shared: number;
  readonly #perServer: number;
  /** The shared slots in use. */
  #taken = 0;
  readonly #lines = new Map<string, Line>();
  /** The lines in which works wait, in the order of their turns. */
  readonly #turns = new Set<Line>();

  constructor({ shared, perServer }: { shared: number; perServer: number }) {
    this.#shared = shared;
    this.#perServer = perServer;
  }

  /** Runs a work of a server, once there is a slot for it. Rejects with its error. */
  async use<T>(serverId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(serverId) ?? { running: 0, waiting: [] };
    this.#lines.set(serverId, line);
    if (!this.#start(line)) {
      this.#turns.add(line);
      await new Promise<void>((resolve) => line.waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.#end(line);
      if (line.running === 0) this.#lines.delete(serverId);
    }
  }

  /** Takes a slot for a work of the line. False if there is none. */
  #start(line: Line): boolean {
    if (line.running > 0) {
      if (line.running >= this.#perServer || this.#taken >= this.#shared) return false;
      this.#taken++;
    }
    line.running++;
    return true;
  }

  /** Frees a slot of the line, and starts the works that now have one. */
  #end(line: Line): void {
    line.running--;
    if (line.running > 0) this.#taken--;
    else if (this.#turns.has(line)) this.#startNext(line);
    for (const next of this.#turns) {
      if (this.#taken >= this.#shared) return;
      this.#startNext(next);
    }
  }

  /** Starts the first work that waits in the line, if there is a slot for it. The line's next turn is the last. */
  #startNext(line: Line): void {
    if (!this.#start(line)) return;
    this.#turns.delete(line);
    line.waiting.shift()?.();
    if (line.waiting.length > 0) this.#turns.add(line);
  }
}
