import { newToken, prefixes } from '../../access/credentials/token.ts';

const PREFIX = prefixes.code;

/** Consonants that are not easily confused with other letters and cannot form words (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS = 8;
/**
 * Bytes at or above this multiple of 20 are rejected; otherwise, some letters would be more likely than
 * others.
 */
const EVEN_BYTES = 240;

type RandomBytes = (size: number) => Uint8Array;

/** Generates a device code or an authorization code. */
export const newCode = (randomBytes: RandomBytes): string => newToken(PREFIX, randomBytes);

/** Generates a user code for a person to type, such as `BCDF-GHJK`. */
export function newUserCode(randomBytes: RandomBytes): string {
  let code = '';
  while (code.length < LETTERS)
    for (const byte of randomBytes(LETTERS))
      if (byte < EVEN_BYTES && code.length < LETTERS) code += letters[byte % letters.length];
  return shownCode(code);
}

const shownCode = (code: string): string => `${code.slice(0, LETTERS / 2)}-${code.slice(LETTERS / 2)}`;

/** Normalizes a typed code; undefined if it cannot be a code. */
export function typedCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '');
  const isCode = code.length === LETTERS && [...code].every((letter) => letters.includes(letter));
  return isCode ? shownCode(code) : undefined;
}
