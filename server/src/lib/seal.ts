import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Encrypts secrets for storage that must be readable again, such as the signing secrets of webhooks. */
export interface Seal {
  /** Encrypts a text for one place, with the first of the keys. */
  seal(text: string, place: SealedPlace): string;
  /** Decrypts, with any of the keys. Throws if the text was sealed for another place, with another key, or altered. */
  open(sealed: string, place: SealedPlace): string;
}

/** The place that a sealed text belongs to: it opens nowhere else. */
export interface SealedPlace {
  table: string;
  column: string;
  /** The key of the row. */
  id: string;
}

/** Secret keys of 32 bytes. The first encrypts; all of them decrypt. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;

/** The first characters of every text that was sealed with this key for a place; not secret. */
export const markOf = (key: Uint8Array): string =>
  `2.${hash('sha256', Buffer.concat([Buffer.from('palaver secret key '), key]), 'base64url').slice(0, KEY_ID_CHARACTERS)}.`;

/** True if the text was sealed for its place. Texts from before have neither a place nor the mark of a key. */
const isPlaced = (sealed: string): boolean => sealed.startsWith('2.');

/**
 * AES-256-GCM. `keys` is asked at every call, so that keys may change. A sealed text is the mark of its key, and
 * base64url of a random nonce, the tag and the ciphertext; the place is authenticated with it.
 */
export function createSeal(keys: () => SecretKeys): Seal {
  return {
    seal(text, place) {
      const [key] = keys();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bytesOf(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return markOf(key) + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed, place) {
      if (!isPlaced(sealed)) return openUnplaced(sealed, keys());
      const key = keys().find((key) => sealed.startsWith(markOf(key)));
      if (!key) throw new Error('this was encrypted with another secret key');
      return decrypt(sealed.slice(markOf(key).length), key, bytesOf(place));
    },
  };
}

/** Opens a text from before seals had a place. */
function openUnplaced(sealed: string, keys: SecretKeys): string {
  for (const key of keys) {
    try {
      return decrypt(sealed, key);
    } catch {
      // Another key may open it.
    }
  }
  throw new Error('this was encrypted with another secret key, or altered');
}

function decrypt(sealed: string, key: Uint8Array, place?: Uint8Array): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), options);
  if (place) decipher.setAAD(place);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

const bytesOf = ({ table, column, id }: SealedPlace): Uint8Array =>
  Buffer.from(JSON.stringify([table, column, id]));
