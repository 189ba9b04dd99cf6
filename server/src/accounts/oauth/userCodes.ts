import { newToken } from '../../access/credentials/token.ts';

const PREFIX = 'code_plv_';

/** Consonants that look like no other letter and make no words (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS = 8;
/** The largest multiple of their number in a byte: with greater bytes some letters would be more likely. */
const EVEN_BYTES = 240;

type RandomBytes = (size: number) => Uint8Array;

/** A new code that an app exchanges for a session. */
export const newCode = (randomBytes: RandomBytes): string => newToken(PREFIX, randomBytes);

/** A new code that a person types: `BCDF-GHJK`. */
export function newUserCode(randomBytes: RandomBytes): string {
  let code = '';
  while (code.length < LETTERS)
    for (const byte of randomBytes(LETTERS))
      if (byte < EVEN_BYTES && code.length < LETTERS) code += letters[byte % letters.length];
  return shownCode(code);
}

const shownCode = (code: string): string => `${code.slice(0, LETTERS / 2)}-${code.slice(LETTERS / 2)}`;

/** The code as it was shown, however it was typed; undefined if it can be none. */
export function typedCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[\s-]/g, '');
  const isCode = code.length === LETTERS && [...code].every((letter) => letters.includes(letter));
  return isCode ? shownCode(code) : undefined;
}
