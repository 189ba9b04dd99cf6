import type { Attempt, ClaimedWebhook, Store } from './store.ts';

/** Accepted events that are not yet stored, at most: so many come again after a crash. */
export const MAX_UNSTORED_EVENTS = 20;
/** An accepted event is stored after this time at the latest, also while a slow receiver has the next one. */
const STORE_AFTER_MS = 250;

/**
 * Stores the progress of one claimed webhook, several accepted events in one write. The next event is sent meanwhile:
 * a receiver that is quick does not wait for the disk.
 */
export class Journal {
  readonly #store: Pick<Store, 'advance'>;
  readonly #webhook: ClaimedWebhook;
  /** The attempts not yet handed to the store, and the cursor after the last. */
  #noted: Attempt[] = [];
  #cursor = '';
  /** The number of attempts in the write under way. */
  #underWay = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOwner = true;

  constructor(store: Pick<Store, 'advance'>, webhook: ClaimedWebhook) {
    this.#store = store;
    this.#webhook = webhook;
  }

  /**
   * Notes an accepted event, with the cursor after it. Waits only if `MAX_UNSTORED_EVENTS` are unstored. False once this
   * node has lost the webhook. Throws the errors of the database.
   */
  async note(attempt: Attempt, cursor: string): Promise<boolean> {
    this.#noted.push(attempt);
    this.#cursor = cursor;
    if (this.#noted.length + this.#underWay >= MAX_UNSTORED_EVENTS) return this.flush();
    this.#timer ??= setTimeout(() => this.begin(), STORE_AFTER_MS);
    return this.#isOwner;
  }

  /** Begins to store what was noted, without waiting. Call it when there is no further event to send at once. */
  begin(): void {
    // The callers that wait for the write get its error.
    this.#write().catch(() => {});
  }

  /** Resolves once all that was noted is stored. False if this node has lost the webhook. */
  async flush(): Promise<boolean> {
    while (this.#isOwner && (this.#writing || this.#noted.length > 0)) await this.#write();
    return this.#isOwner;
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#writing && this.#noted.length > 0) this.#writing = this.#writeNoted();
    return this.#writing ?? Promise.resolve();
  }

  async #writeNoted(): Promise<void> {
    const attempts = this.#noted;
    this.#noted = [];
    this.#underWay = attempts.length;
    try {
      const progress = { cursor: this.#cursor, attempt: 0, nextAt: null };
      this.#isOwner = await this.#store.advance(this.#webhook, progress, attempts, false);
    } catch (error) {
      // They are written again with the next write, or come again from the place that is stored.
      this.#noted.unshift(...attempts);
      throw error;
    } finally {
      this.#underWay = 0;
      this.#writing = undefined;
    }
  }
}
