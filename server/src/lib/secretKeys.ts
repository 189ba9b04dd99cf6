import { randomBytes } from 'node:crypto';
import type { SecretKeys } from './seal.ts';

const KEY_BYTES = 32;

export const newSecretKey = (): Uint8Array => randomBytes(KEY_BYTES);

/**
 * Parses 32-byte keys in base64url, separated by commas or line breaks. The first one encrypts, and all of
 * them decrypt. Undefined if the text is anything else.
 */
export function parseSecretKeys(text: string): SecretKeys | undefined {
  const words = text.trim().split(/\s*[,\n]\s*/);
  const keys = words.map((word) =>
    /^[\w-]+=*$/.test(word) ? Buffer.from(word, 'base64url') : Buffer.alloc(0),
  );
  return keys.every(({ length }) => length === KEY_BYTES) ? (keys as unknown as SecretKeys) : undefined;
}

/** Serializes keys for a file or a setting. */
export const secretKeysText = (keys: SecretKeys, separator = ','): string =>
  keys.map((key) => Buffer.from(key).toString('base64url')).join(separator);
