import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Db, type Reader, StorageError, type Tx } from '../db/contract.ts';
import { type SealedValue, sealedColumns } from '../db/sealed.ts';
import { find, prepare, q } from '../db/statements.ts';
import { syncFolder } from '../lib/folder.ts';
import { createSeal, markOf, type SecretKeys } from '../lib/seal.ts';
import { newSecretKey, parseSecretKeys, secretKeysText } from '../lib/secretKeys.ts';

/** Returns the path of the key file in a data folder. */
export const keyFile = (folder: string): string => join(folder, 'secret.key');

/**
 * Returns the keys that encrypt the secrets in a data folder: `given`, or those in the key file, which is
 * reread whenever it is replaced. Creates the file if it is missing, but throws StorageError if there are
 * encrypted secrets already.
 */
export async function secretKeysInFolder(
  folder: string,
  db: Reader,
  given: string,
): Promise<() => SecretKeys> {
  const keys = parseSecretKeys(given);
  if (keys) return () => keys;
  if (!existsSync(keyFile(folder))) {
    if ((await foreignSealed(db, [])) !== undefined) {
      throw new StorageError(
        'the file secret.key is missing, and stored secrets are encrypted with its key: restore it from a backup',
      );
    }
    writeKeys(folder, [newSecretKey()], false);
  }
  return followFile(folder);
}

/**
 * Returns the secret keys of a PostgreSQL database: `given`, or those stored in it. Throws StorageError if
 * the stored keys are damaged, or if `given` does not decrypt the secrets in the database.
 */
export async function secretKeysInDatabase(db: Db, given: string): Promise<() => SecretKeys> {
  const keys = parseSecretKeys(given || (await textInDatabase(db, 'secretKey')));
  if (!keys)
    throw new StorageError('the setting secretKey in the database is damaged: restore it from a backup');
  if (given && !canOpen(keys, await foreignSealed(db.read, keys))) {
    throw new StorageError(
      'PALAVER_SECRET_KEY does not contain the key that encrypts the secrets in this database',
    );
  }
  return () => keys;
}

/**
 * Returns the keys in the file, and rereads them when the file is replaced, so a rotation needs no restart.
 * Previous keys remain usable for values that were read earlier.
 */
function followFile(folder: string): () => SecretKeys {
  let read = '';
  let keys = readKeys(folder);
  return () => {
    const now = versionOfFile(folder);
    if (now === undefined || now === read) return keys;
    keys = withKeys(readKeys(folder), keys);
    read = now;
    return keys;
  };
}

/** Returns a fingerprint that changes when the file is replaced; undefined if it does not exist. */
function versionOfFile(folder: string): string | undefined {
  const found = statSync(keyFile(folder), { bigint: true, throwIfNoEntry: false });
  return found && `${found.ino} ${found.mtimeNs} ${found.size}`;
}

/** Returns `keys`, followed by those of `others` that are not among them. */
export function withKeys(keys: SecretKeys, others: SecretKeys): SecretKeys {
  const known = new Set(keys.map(markOf));
  return [...keys, ...others.filter((key) => !known.has(markOf(key)))] as unknown as SecretKeys;
}

/** Reads the key file. Throws StorageError. */
export function readKeys(folder: string): SecretKeys {
  let text: string;
  try {
    text = readFileSync(keyFile(folder), 'utf8');
  } catch (error) {
    throw new StorageError(`the file secret.key cannot be read: ${(error as { code?: string }).code}`);
  }
  const keys = parseSecretKeys(text);
  if (!keys) throw new StorageError('the file secret.key is damaged: restore it from a backup');
  return keys;
}

/**
 * Writes the key file atomically and durably, because values are encrypted with its keys right away. Without
 * `replace`, a file that another process wrote first is kept.
 */
export function writeKeys(folder: string, keys: SecretKeys, replace: boolean): void {
  const file = keyFile(folder);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${secretKeysText(keys, '\n')}\n`, { mode: 0o600, flush: true });
    // Renaming and linking are atomic, so a crash never leaves the folder without a key.
    if (replace) renameSync(fresh, file);
    else linkSync(fresh, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  syncFolder(dirname(file));
}

/** Whether one of the keys decrypts the value. True if there is no value. */
export function canOpen(keys: SecretKeys, value: SealedValue | undefined): boolean {
  if (!value) return true;
  try {
    createSeal(() => keys).open(value.sealed, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds an encrypted value that lacks the mark of these keys, for example one written before marks existed.
 */
async function foreignSealed(db: Reader, keys: readonly Uint8Array[]): Promise<SealedValue | undefined> {
  for (const { table, column } of sealedColumns as { table: 'secret'; column: 'sealed' }[]) {
    let rows = q.selectFrom(table).select(['id', column]).where(column, 'is not', null).limit(1);
    for (const key of keys) rows = rows.where(column, 'not like', `${markOf(key)}%`);
    const row = await db.first(rows);
    if (row) return { table, column, id: row.id, sealed: row[column] as string };
  }
  return undefined;
}

/** Returns a 32-byte key from the settings table. The first node to call this creates it. */
export const keyInDatabase = async (db: Db, name: 'cursorKey'): Promise<Buffer> =>
  Buffer.from(await textInDatabase(db, name), 'base64url');

async function textInDatabase(db: Db, name: 'secretKey' | 'cursorKey'): Promise<string> {
  const stored = async (from: Reader) => (await from.first(find('setting', { name })))?.value;
  const make = async (tx: Tx) => {
    await tx.run(addSetting({ name, value: randomBytes(32).toString('base64url') }));
    return stored(tx);
  };
  return ((await stored(db.read)) ?? (await db.write(make))) as string;
}

const addSetting = prepare((p: { name: string; value: string }) =>
  q
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);
