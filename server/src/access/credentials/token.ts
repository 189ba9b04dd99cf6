import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of tokens (decisions, part 5): a prefix, 32 random base62 characters (190 bits), and the CRC32
 * of both as six base62 characters. The checksum lets secret scanners recognize real tokens offline, and
 * mistyped tokens are rejected without a lookup.
 */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
/**
 * The number of random characters that all refresh tokens of a grant share, and the number that is unique to
 * each token.
 */
const FAMILY_CHARACTERS = RANDOM_CHARACTERS / 2;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TAIL = new RegExp(`^[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/**
 * The prefix of every kind of token. Add new prefixes here: the request log uses this list to recognize
 * tokens in paths.
 */
export const prefixes = {
  apiKey: 'sk_live_plv_',
  hook: 'hook_plv_',
  ticket: 'ticket_plv_',
  session: 'session_plv_',
  access: 'access_plv_',
  grant: 'grant_plv_',
  refresh: 'refresh_plv_',
  code: 'code_plv_',
  link: 'link_plv_',
} as const;

export type Prefix = (typeof prefixes)[keyof typeof prefixes];

type RandomBytes = (size: number) => Uint8Array;

/** Generates a token. `randomBytes(size)` returns `size` random bytes. */
export const newToken = (prefix: Prefix, randomBytes: RandomBytes): string => completed(prefix, randomBytes);

/** Generates a token that begins like `family`, so that `familyOf` returns the same for both. */
export const newTokenIn = (family: string, randomBytes: RandomBytes): string =>
  completed(familyOf(family), randomBytes);

/** Returns the first half of a token: its prefix and 95 random bits. */
export const familyOf = (token: string): string => token.slice(0, -(FAMILY_CHARACTERS + CHECKSUM_CHARACTERS));

/** Adds random characters and the checksum. */
function completed(beginning: string, randomBytes: RandomBytes): string {
  const length = beginning.slice(0, beginning.lastIndexOf('_') + 1).length + RANDOM_CHARACTERS;
  let body = beginning;
  while (body.length < length) {
    for (const byte of randomBytes(RANDOM_CHARACTERS)) {
      // 248 is the largest multiple of 62 that fits in a byte. Larger values would make some characters
      // more likely than others.
      if (byte < 248 && body.length < length) body += alphabet[byte % 62];
    }
  }
  return body + checksum(body);
}

/**
 * Whether the text has the prefix, the format and the checksum of a token. The token may never have been
 * issued.
 */
export const isWellFormed = (prefix: Prefix, token: string): boolean =>
  token.startsWith(prefix) &&
  TAIL.test(token.slice(prefix.length)) &&
  checksum(token.slice(0, -CHECKSUM_CHARACTERS)) === token.slice(-CHECKSUM_CHARACTERS);

/** Returns the SHA-256 of a token, in hexadecimal. Only the digest is stored, never the token. */
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
