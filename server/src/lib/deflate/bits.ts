/** Writes bits, least significant first, into a buffer that grows as needed. */
export class Bits {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #length = 0;
  /** The bits that do not fill a byte yet. */
  #rest = 0;
  #count = 0;

  /** Starts over. */
  begin(): void {
    this.#length = 0;
    this.#rest = 0;
    this.#count = 0;
  }

  /** Writes up to 24 bits. */
  put(bits: number, count: number): void {
    let rest = this.#rest | (bits << this.#count);
    let left = this.#count + count;
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    for (; left >= 8; left -= 8) {
      this.#bytes[this.#length++] = rest & 255;
      rest >>>= 8;
    }
    this.#rest = rest;
    this.#count = left;
  }

  /** Fills the last byte with zeros. */
  align(): void {
    if (this.#count > 0) this.put(0, 8 - this.#count);
  }

  /** Returns a copy of the bytes written. */
  take(): Buffer {
    return Buffer.copyBytesFrom(this.#bytes, 0, this.#length);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length);
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }
}
