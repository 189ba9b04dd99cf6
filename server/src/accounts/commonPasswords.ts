import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getRawAsset, isSea } from 'node:sea';

/**
 * The file with the list, and its asset name in the single executable. `scripts/commonPasswords.ts` writes
 * it.
 */
export const COMMON_PASSWORDS = 'commonPasswords.bin';

const here = isSea() ? '' : import.meta.dirname;

/**
 * Reads the list: the 100,000 most common passwords of at least eight characters, and the 20,000 most
 * common shorter words.
 */
export async function readCommonPasswords(): Promise<CommonPasswords> {
  return new CommonPasswords(
    isSea() ? Buffer.from(getRawAsset(COMMON_PASSWORDS)) : await readFile(join(here, COMMON_PASSWORDS)),
  );
}

/** Number of bytes per digest. */
export const DIGEST_BYTES = 4;

/** A list of common passwords, stored as sorted digests, which take 480 KB. */
export class CommonPasswords {
  readonly #digests: Buffer;

  constructor(digests: Buffer) {
    this.#digests = digests;
  }

  /** Whether a lowercase text is on the list. About one in 36,000 other texts is a false positive. */
  has(text: string): boolean {
    const digest = digestOf(text);
    let low = 0;
    let high = this.#digests.length / DIGEST_BYTES;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#digests.readUInt32BE(middle * DIGEST_BYTES);
      if (found === digest) return true;
      if (found < digest) low = middle + 1;
      else high = middle;
    }
    return false;
  }
}

/**
 * Returns the first four bytes of a text's SHA-256. The list is hashed so that developers do not have to see
 * the passwords.
 */
export const digestOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32BE(0);
