import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Db, type Reader, StorageError, type Tx } from '../db/contract.ts';
import { find, prepare, q } from '../db/statements.ts';
import { createSeal } from '../lib/seal.ts';

const KEY_BYTES = 32;

/** The path of the key's file in a data folder. */
export const keyFile = (folder: string): string => join(folder, 'secret.key');

/**
 * The secret key of a data folder, which encrypts apps' and webhooks' secrets: `given`, or the key in the file. Makes
 * the file if it is missing. Throws StorageError if it is missing although secrets are encrypted with its key.
 */
export async function secretKeyInFolder(folder: string, db: Reader, given: string): Promise<Buffer> {
  if (given) return Buffer.from(given, 'base64url');
  if (!existsSync(keyFile(folder))) {
    if ((await anySealed(db)) !== undefined) {
      throw new StorageError(
        "the file secret.key is missing, and apps' secrets are encrypted with its key: restore it from a backup",
      );
    }
    writeKey(folder, randomBytes(KEY_BYTES), false);
  }
  return readKey(folder);
}

/**
 * The secret key of a PostgreSQL: `given`, or the key in the database. Throws StorageError if `given` does not decrypt
 * the secrets in the database.
 */
export async function secretKeyInDatabase(db: Db, given: string): Promise<Buffer> {
  if (!given) return keyInDatabase(db, 'secretKey');
  const key = Buffer.from(given, 'base64url');
  const sealed = await anySealed(db.read);
  if (sealed !== undefined && !canOpen(key, sealed)) {
    throw new StorageError("PALAVER_SECRET_KEY is not the key that encrypts apps' secrets in this database");
  }
  return key;
}

/** Reads the key's file. Throws StorageError. */
export function readKey(folder: string): Buffer {
  let text: string;
  try {
    text = readFileSync(keyFile(folder), 'utf8').trim();
  } catch (error) {
    throw new StorageError(`the file secret.key cannot be read: ${(error as { code?: string }).code}`);
  }
  const key = Buffer.from(text, 'base64url');
  if (key.length !== KEY_BYTES)
    throw new StorageError('the file secret.key is damaged: restore it from a backup');
  return key;
}

/** Writes the key's file, never a part of it. Without `replace`, a file that another process wrote first stays. */
export function writeKey(folder: string, key: Uint8Array, replace: boolean): void {
  const file = keyFile(folder);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${Buffer.from(key).toString('base64url')}\n`, { mode: 0o600, flush: true });
    // At once: a crash never leaves the folder without a key.
    if (replace) renameSync(fresh, file);
    else linkSync(fresh, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** True if the key decrypts the sealed text. */
export function canOpen(key: Uint8Array, sealed: string): boolean {
  try {
    createSeal(key).open(sealed);
    return true;
  } catch {
    return false;
  }
}

/** A sealed text in the data, of an app's secret or a webhook; undefined if there is none. */
async function anySealed(db: Reader): Promise<string | undefined> {
  for (const table of ['secret', 'webhook'] as const) {
    const row = await db.first(q.selectFrom(table).select('sealed').where('sealed', 'is not', null).limit(1));
    if (row?.sealed) return row.sealed;
  }
  return undefined;
}

/** A key of 32 bytes in the table of settings. The first node to call this makes it. */
export async function keyInDatabase(db: Db, name: 'secretKey' | 'cursorKey'): Promise<Buffer> {
  const stored = async (from: Reader) => (await from.first(find('setting', { name })))?.value;
  const make = async (tx: Tx) => {
    await tx.run(addSetting({ name, value: randomBytes(KEY_BYTES).toString('base64url') }));
    return stored(tx);
  };
  return Buffer.from(((await stored(db.read)) ?? (await db.write(make))) as string, 'base64url');
}

const addSetting = prepare((p: { name: string; value: string }) =>
  q
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);
