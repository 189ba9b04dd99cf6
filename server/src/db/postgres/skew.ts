/**
 * Estimates how far the database's clock is ahead of this machine's clock by asking for its time
 * (Cristian's algorithm). A single response is off by at most half of its round trip.
 */
export class Skew {
  #ahead: number | undefined;

  /** The skew in milliseconds; 0 before the first response. */
  get ahead(): number {
    return this.#ahead ?? 0;
  }

  /**
   * Records a response: `theirs` is on the database's clock, `sent` and `received` are on this machine's,
   * all in milliseconds.
   */
  note(theirs: number, sent: number, received: number): void {
    const ahead = theirs - (sent + received) / 2;
    const isCloser = this.#ahead === undefined || Math.abs(ahead - this.#ahead) > (received - sent) / 2;
    // A slow response, for example because one side was busy, does not replace a better estimate.
    if (isCloser) this.#ahead = Math.round(ahead);
  }
}
