import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API keys (decisions, part 5): a prefix, 32 random base62 characters (190 bits), and the CRC32 of all that in six
 * more, so that a scanner tells a real key offline and a mistyped one is refused without a look-up.
 */
const PREFIX = 'sk_live_plv_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new key. `randomBytes(size)` gives that many random bytes. */
export function newApiKey(randomBytes: (size: number) => Uint8Array): string {
  let body = PREFIX;
  while (body.length < PREFIX.length + RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the last multiple of 62 in a byte: without the rest each character is as likely as another.
      if (byte < 248 && body.length < PREFIX.length + RANDOM_LENGTH) body += alphabet[byte % 62];
    }
  }
  return body + checksum(body);
}

/** True if `key` has the form and the checksum of a key; says nothing about whether it was ever given out. */
export const isWellFormed = (key: string): boolean =>
  FORM.test(key) && checksum(key.slice(0, -CHECKSUM_LENGTH)) === key.slice(-CHECKSUM_LENGTH);

/** What is stored of a key: its SHA-256, hexadecimal. */
export const digestOf = (key: string): string => hash('sha256', key, 'hex');

/** What may be shown of a key: enough to tell it from another. */
export const previewOf = (key: string): string => `${PREFIX}…${key.slice(-4)}`;

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
