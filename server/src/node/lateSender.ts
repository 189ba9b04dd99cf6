import type { FastifyBaseLogger } from 'fastify';
import { Outage } from '../lib/outage.ts';
import type { Pulse } from '../lib/pulse.ts';
import { repeated } from '../lib/repeated.ts';

/** Poll interval until the sender is loaded. */
const LOOK_MS = 1_000;

/** Sends queued items. */
interface Sender {
  /** Sends due items. Never rejects. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

interface LateSenderOptions {
  pulse: Pulse;
  /** Whether an item is due. */
  isDue(): Promise<boolean>;
  load(): Promise<Sender>;
}

/** Loads a sender's code once an item is due. On many nodes, that never happens. */
export class LateSender implements Sender {
  readonly #options: LateSenderOptions;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #stopPolling: () => void;
  #sender: Promise<Sender> | undefined;
  #isStopping = false;

  /** `task` is the name of the polls in the log. */
  constructor(options: LateSenderOptions, log: FastifyBaseLogger, task: string) {
    this.#options = options;
    this.#looking = repeated(() => this.#look(), new Outage(log, task));
    this.#stopPolling = options.pulse.every(LOOK_MS, () => void this.look());
  }

  look(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    return this.#looking.run();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopPolling();
    await this.#looking.ended();
    await (await this.#sender)?.stop();
  }

  async #look(): Promise<void> {
    if (!this.#sender && !(await this.#options.isDue())) return;
    // From now on, the sender itself polls.
    this.#stopPolling();
    this.#sender ??= this.#options.load();
    await (await this.#sender).look();
  }
}
