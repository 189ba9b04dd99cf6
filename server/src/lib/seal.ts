import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what must be given back one day but must not lie readable in the database. */
export interface Seal {
  seal(text: string): string;
  /** Throws if the text was sealed with another key or altered. */
  open(sealed: string): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key of 32 bytes; the nonce is random and stands before the text. */
export function createSeal(key: Uint8Array): Seal {
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
  };
}
