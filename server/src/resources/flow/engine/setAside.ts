import type { FastifyBaseLogger } from 'fastify';
import { StorageError } from '../../../db/contract.ts';
import { backoffMs } from '../../../lib/backoff.ts';
import type { Deps } from '../../../lib/deps.ts';

const BACKOFF = { first: 5_000, most: 10 * 60_000 };
const MAX_BROKEN = 10_000;

/** Flows to process later, because they are rate limited or are backing off after failures. */
export class SetAside {
  readonly #log: FastifyBaseLogger;
  readonly #deps: Pick<Deps, 'randomBytes'>;
  readonly #again: (flowId: string) => void;
  readonly #timeouts = new Map<string, NodeJS.Timeout>();
  /** The number of consecutive failures, by flow. */
  readonly #failures = new Map<string, number>();
  /** Flows with a condition that was logged as broken. */
  readonly #broken = new Set<string>();
  #isStopping = false;

  /** `again` is called when a flow should be processed again. */
  constructor(log: FastifyBaseLogger, deps: Pick<Deps, 'randomBytes'>, again: (flowId: string) => void) {
    this.#log = log;
    this.#deps = deps;
    this.#again = again;
  }

  /**
   * Runs a task for a flow. If it throws, only this flow is retried later, so that it does not block the
   * others. Rethrows a StorageError, because it affects all flows.
   */
  async attempt(flowId: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
      this.#failures.delete(flowId);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const failures = (this.#failures.get(flowId) ?? 0) + 1;
      this.#failures.set(flowId, failures);
      if (failures === 1) this.#log.error({ err: error, flowId }, 'reading events for a flow failed');
      this.later(flowId, backoffMs(failures, BACKOFF, this.#deps));
    }
  }

  /** Logs once that the condition of a flow cannot be evaluated. Its runs fail. */
  noteBroken(flowId: string, error: unknown): void {
    if (this.#broken.has(flowId)) return;
    if (this.#broken.size >= MAX_BROKEN) this.#broken.clear();
    this.#broken.add(flowId);
    this.#log.error({ err: error, flowId }, 'a condition of a flow cannot be evaluated');
  }

  /** Processes a flow again after `ms` milliseconds. */
  later(flowId: string, ms: number): void {
    if (this.#isStopping) return;
    clearTimeout(this.#timeouts.get(flowId));
    const again = () => {
      this.#timeouts.delete(flowId);
      this.#again(flowId);
    };
    this.#timeouts.set(flowId, setTimeout(again, ms).unref());
  }

  stop(): void {
    this.#isStopping = true;
    for (const timeout of this.#timeouts.values()) clearTimeout(timeout);
  }
}
