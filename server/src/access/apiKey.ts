import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * API keys (decisions, part 5), and the tokens of incoming webhooks: a prefix, 32 random base62 characters (190 bits), and
 * the CRC32 of all that in six more, so that a scanner tells a real one offline and a mistyped one is refused without a
 * look-up.
 */
const PREFIX = 'sk_live_plv_';
const HOOK_PREFIX = 'hook_plv_';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = new RegExp(`^(${PREFIX}|${HOOK_PREFIX})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

type RandomBytes = (size: number) => Uint8Array;

/** A new key. `randomBytes(size)` gives that many random bytes. */
export const newApiKey = (randomBytes: RandomBytes): string => newToken(PREFIX, randomBytes);

/** A new token of an incoming webhook. */
export const newHookToken = (randomBytes: RandomBytes): string => newToken(HOOK_PREFIX, randomBytes);

function newToken(prefix: string, randomBytes: RandomBytes): string {
  let body = prefix;
  while (body.length < prefix.length + RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      // 248 is the last multiple of 62 in a byte: without the rest each character is as likely as another.
      if (byte < 248 && body.length < prefix.length + RANDOM_LENGTH) body += alphabet[byte % 62];
    }
  }
  return body + checksum(body);
}

/** True if `key` has the form and the checksum of a key; says nothing about whether it was ever given out. */
export const isWellFormed = (key: string): boolean => key.startsWith(PREFIX) && isSound(key);

/** The same of the token of an incoming webhook. */
export const isHookToken = (token: string): boolean => token.startsWith(HOOK_PREFIX) && isSound(token);

const isSound = (token: string): boolean =>
  FORM.test(token) && checksum(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);

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
