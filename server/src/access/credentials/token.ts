import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Tokens of API keys and incoming webhooks (decisions, part 5): a prefix, 32 random base62 characters (190 bits), and
 * six base62 characters with the CRC32 of both. With the checksum a scanner recognises a real token offline, and the
 * server refuses a mistyped token without a look-up.
 */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TAIL = new RegExp(`^[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** A new token. `randomBytes(size)` returns `size` random bytes. */
export function newToken(prefix: string, randomBytes: (size: number) => Uint8Array): string {
  let body = prefix;
  while (body.length < prefix.length + RANDOM_CHARACTERS) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      // 248 is the largest multiple of 62 in a byte: with greater bytes some characters would be more likely.
      if (byte < 248 && body.length < prefix.length + RANDOM_CHARACTERS) body += alphabet[byte % 62];
    }
  }
  return body + checksum(body);
}

/** True if the text has the prefix, the form and the checksum of a token. It need not ever have been issued. */
export const isWellFormed = (prefix: string, token: string): boolean =>
  token.startsWith(prefix) &&
  TAIL.test(token.slice(prefix.length)) &&
  checksum(token.slice(0, -CHECKSUM_CHARACTERS)) === token.slice(-CHECKSUM_CHARACTERS);

/** The SHA-256 of a token, hexadecimal. Only this is stored, never the token. */
export const digestOf = (token: string): string => hash('sha256', token, 'hex');

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < CHECKSUM_CHARACTERS; position++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
