import type { Attempt, ClaimedWebhook, Store } from './store.ts';

/** Maximum accepted events that are not stored yet. After a crash, these are sent again. */
export const MAX_UNSTORED_EVENTS = 20;
/** Accepted events are stored within this time, even while a slow receiver handles the next event. */
const STORE_AFTER_MS = 250;

/**
 * Batches the progress of one claimed webhook: stores several accepted events per write, while the next
 * event is already being sent. A fast receiver does not have to wait for the disk.
 */
export class Journal {
  readonly #store: Pick<Store, 'advance'>;
  readonly #webhook: ClaimedWebhook;
  /** Attempts that have not been passed to the store yet, and the cursor after the last of them. */
  #noted: Attempt[] = [];
  #cursor = '';
  /** The number of attempts in the current write. */
  #underWay = 0;
  #writing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOwner = true;

  constructor(store: Pick<Store, 'advance'>, webhook: ClaimedWebhook) {
    this.#store = store;
    this.#webhook = webhook;
  }

  /**
   * Records an accepted event, with the cursor after it. Waits only if `MAX_UNSTORED_EVENTS` have not been
   * stored yet. Returns false once this node has lost the webhook. Throws database errors.
   */
  async note(attempt: Attempt, cursor: string): Promise<boolean> {
    this.#noted.push(attempt);
    this.#cursor = cursor;
    if (this.#noted.length + this.#underWay >= MAX_UNSTORED_EVENTS) return this.flush();
    this.#timer ??= setTimeout(() => this.begin(), STORE_AFTER_MS);
    return this.#isOwner;
  }

  /** Starts a write without waiting for it. Call this when no further event is ready to send. */
  begin(): void {
    // Callers of `flush` get the error.
    this.#write().catch(() => {});
  }

  /**
   * Resolves once everything that was recorded is stored. Returns false if this node has lost the webhook.
   */
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
      // The attempts become part of the next write. If there is none, the events are delivered again from the
      // stored cursor.
      this.#noted.unshift(...attempts);
      throw error;
    } finally {
      this.#underWay = 0;
      this.#writing = undefined;
    }
  }
}
