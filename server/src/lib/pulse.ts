import { Ticker } from './ticker.ts';

/** How long polls continue after the last activity. */
const AWAKE_MS = 20_000;
/**
 * Interval of an idle node's rounds. A round runs every poll once, to find due work and make up for lost
 * notifications.
 */
const REST_MS = 15_000;
/** Changes to the data within this time after a round are attributed to the round. */
const OWN_MS = 2_000;

export interface PulseOptions {
  /** How long polls continue after the last activity. If omitted, the node never becomes idle. */
  awakeMs?: number;
  restMs?: number;
  /** Called when the node becomes idle. */
  onRest?(): void;
  /**
   * While idle, calls `changed` when another process changes the data. Returns a function that stops this.
   */
  watch?(changed: () => void): () => void;
}

export const resting: PulseOptions = { awakeMs: AWAKE_MS, restMs: REST_MS };

/**
 * The periodic polls of a node. During activity, each poll runs at its own period. Otherwise, the node is
 * idle: a single timer runs all of them, rarely (docs/decisions/0035).
 */
export class Pulse {
  readonly #options: Required<Pick<PulseOptions, 'awakeMs' | 'restMs'>> & PulseOptions;
  readonly #polls = new Map<Ticker, () => void>();
  readonly #needs: (() => boolean)[] = [];
  readonly #resting: Ticker;
  #activeAt = performance.now();
  #ownUntil = 0;
  #stopWatching: (() => void) | undefined;
  /** Whether the node is idle. If so, only the rounds run. */
  isResting = false;

  constructor(options: PulseOptions = {}) {
    this.#options = { awakeMs: Number.POSITIVE_INFINITY, restMs: REST_MS, ...options };
    this.#resting = new Ticker(() => this.#round(), this.#options.restMs);
  }

  /** Adds a poll with its period. Returns a function that removes it. */
  every(ms: number, run: () => void): () => void {
    const ticker = new Ticker(() => {
      run();
      this.#restIfQuiet();
    }, ms);
    this.#polls.set(ticker, run);
    if (!this.isResting) ticker.start();
    return () => {
      ticker.stop();
      this.#polls.delete(ticker);
      if (this.#polls.size === 0) this.#stopResting();
    };
  }

  /** Keeps the node from becoming idle while `holds` returns true, for example while a stream is open. */
  stayAwakeWhile(holds: () => boolean): void {
    this.#needs.push(holds);
  }

  /** Call this when there is activity that may create work for the polls. */
  active(): void {
    this.#activeAt = performance.now();
    if (!this.isResting) return;
    this.#stopResting();
    for (const ticker of this.#polls.keys()) ticker.start();
  }

  #stopResting(): void {
    this.isResting = false;
    this.#resting.stop();
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }

  #restIfQuiet(): void {
    if (this.isResting || performance.now() - this.#activeAt < this.#options.awakeMs) return;
    if (this.#needs.some((holds) => holds())) return;
    this.isResting = true;
    for (const ticker of this.#polls.keys()) ticker.stop();
    this.#resting.start();
    this.#stopWatching = this.#options.watch?.(() => {
      if (performance.now() >= this.#ownUntil) this.active();
    });
    this.#options.onRest?.();
  }

  #round(): void {
    if (this.#needs.some((holds) => holds())) {
      this.active();
      return;
    }
    this.#ownUntil = performance.now() + OWN_MS;
    for (const run of this.#polls.values()) run();
  }
}
