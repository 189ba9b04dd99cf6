import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';
import { decodeDigests } from './passwordDigests.ts';

/** The list's file, and its asset in the single executable. `scripts/commonPasswords.ts` writes it. */
export const COMMON_PASSWORDS = 'commonPasswords.bin';

const here = isSea() ? '' : import.meta.dirname;

/**
 * Reads the list: the 100,000 most common passwords of at least eight characters, and the 20,000 most
 * common shorter words.
 */
export async function readCommonPasswords(): Promise<CommonPasswords> {
  const bytes = isSea()
    ? Buffer.from(getRawAsset(COMMON_PASSWORDS))
    : await readFile(join(here, COMMON_PASSWORDS));
  return new CommonPasswords(decodeDigests(bytes));
}

/** A list of common passwords, as sorted digests: 500 KB in memory. */
export class CommonPasswords {
  readonly #digests: Uint32Array;

  constructor(digests: Uint32Array) {
    this.#digests = digests;
  }

  /** Whether the text in lowercase is on the list. About one in 40,000 other texts is a false positive. */
  has(text: string): boolean {
    const digest = digestOf(text);
    let low = 0;
    let high = this.#digests.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#digests[middle] as number) < digest) low = middle + 1;
      else high = middle;
    }
    return this.#digests[low] === digest;
  }
}

/** The first four bytes of a text's SHA-256, so that nobody has to read the passwords. */
export const digestOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE(0);
