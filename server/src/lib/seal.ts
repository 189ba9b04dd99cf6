import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';

/** Encrypts stored secrets that have to be readable again, such as the signing secrets of webhooks. */
export interface Seal {
  /** Encrypts a text for one cell, with the first key. */
  seal(text: string, place: SealedCell): string;
  /**
   * Decrypts with the matching key. Throws if the text was encrypted for another cell or with another key, or
   * was altered.
   */
  open(sealed: string, place: SealedCell): string;
}

/**
 * The database cell that an encrypted text belongs to. The text cannot be decrypted for any other cell, so
 * copying it to another row is useless.
 */
export interface SealedCell {
  table: string;
  column: string;
  /** The id of the row. */
  id: string;
}

/**
 * Secret keys of 32 bytes. The first one encrypts, and all of them decrypt, which makes rotation possible.
 */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;

/**
 * Returns the prefix of every text encrypted with this key: the format version and the key id. It is not
 * secret.
 */
export const markOf = (key: Uint8Array): string =>
  `2.${hash('sha256', Buffer.concat([Buffer.from('palaver secret key '), key]), 'base64url').slice(0, KEY_ID_CHARACTERS)}.`;

/** Whether the text is bound to its cell. Texts in the first format have neither a cell nor a key id. */
const isPlaced = (sealed: string): boolean => sealed.startsWith('2.');

/**
 * Encrypts with AES-256-GCM. `keys` is called every time, so keys can be rotated at runtime. An encrypted
 * text consists of its key's prefix and, in base64url, a random nonce, the tag and the ciphertext. The cell
 * is authenticated as additional data.
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

/** Decrypts a text in the first format, which is not bound to a cell. */
function openUnplaced(sealed: string, keys: SecretKeys): string {
  for (const key of keys) {
    try {
      return decrypt(sealed, key);
    } catch {
      // Another key may decrypt the text.
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

const bytesOf = ({ table, column, id }: SealedCell): Uint8Array =>
  Buffer.from(JSON.stringify([table, column, id]));
