import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type Db, StorageError, type Tx } from '../db/contract.ts';
import { openDatabase } from '../db/open.ts';
import { find, insert, q } from '../db/statements.ts';
import { appendEvent } from '../feed/log.ts';
import type { Work } from '../http/endpoint.ts';
import { createDeps, type Deps, newRow } from '../lib/deps.ts';
import { createSeal, type Seal } from '../lib/seal.ts';

/** A data folder that is open: what every command works with. */
export interface Data {
  db: Db;
  deps: Deps;
  seal: Seal;
  cursorKey: Uint8Array;
}

export const databaseFile = (folder: string): string => join(folder, 'palaver.db');
const keyFile = (folder: string): string => join(folder, 'secret.key');

/** Opens the data folder, making it on the first run. Throws `StorageError`. */
export async function openData(
  { data, secretKey }: Pick<Config, 'data' | 'secretKey'>,
  deps = createDeps(),
): Promise<Data> {
  const db = openDatabase({ file: databaseFile(data) });
  try {
    // Messages and keys of everybody: for the operator's eyes only.
    chmodSync(databaseFile(data), 0o600);
    const key = secretKey ? Buffer.from(secretKey, 'base64url') : await keyOf(data, db);
    return { db, deps, seal: createSeal(key), cursorKey: await cursorKeyOf(db) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Opens the data folder for one command and closes it again. */
export async function withData<T>(config: Config, use: (data: Data) => Promise<T>): Promise<T> {
  const data = await openData(config);
  try {
    return await use(data);
  } finally {
    await data.db.close();
  }
}

/** Makes changes that a command asks for, in one transaction. */
export function change<T>(
  { db, deps }: Pick<Data, 'db' | 'deps'>,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  return db.write((tx) => work(workOf(tx, deps)));
}

function workOf(tx: Tx, deps: Deps): Work {
  const now = deps.now();
  return {
    db: tx,
    now,
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps),
    emit: ({ channelId = null, ...event }) =>
      appendEvent(tx, { ...event, channelId, actorId: null, at: now }),
  };
}

/** The key in the data folder; made where there is none yet, and never anew while something needs the lost one. */
async function keyOf(folder: string, db: Db): Promise<Buffer> {
  if (!existsSync(keyFile(folder))) {
    const sealed = q.selectFrom('secret').select('id').where('sealed', 'is not', null).limit(1);
    if (await db.read.first(sealed)) {
      throw new StorageError(
        "the file secret.key is missing, which apps' secrets are encrypted with: restore it from a backup",
      );
    }
    writeKey(folder, randomBytes(32), false);
  }
  return readKey(folder);
}

/** The key that encrypts apps' secrets, from its file in the data folder. Throws `StorageError`. */
export function readKey(folder: string): Buffer {
  const file = keyFile(folder);
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new StorageError(`the file secret.key cannot be read: ${(error as { code?: string }).code}`);
  }
  const key = Buffer.from(text, 'base64url');
  if (key.length !== 32) throw new StorageError('the file secret.key is damaged: restore it from a backup');
  return key;
}

/** Writes the key's file, whole or not at all; without `replace`, one that another process wrote first stays. */
export function writeKey(folder: string, key: Uint8Array, replace: boolean): void {
  const file = keyFile(folder);
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, `${Buffer.from(key).toString('base64url')}\n`, { mode: 0o600, flush: true });
    if (replace) rmSync(file, { force: true });
    linkSync(fresh, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** The key that authenticates cursors lies in the database, so that all who serve it accept each other's. */
async function cursorKeyOf(db: Db): Promise<Uint8Array> {
  const setting = { name: 'cursorKey' };
  const kept =
    (await db.read.first(find('setting', setting))) ??
    (await db.write(async (tx) => {
      const first = await tx.first(find('setting', setting));
      if (first) return first;
      const row = { ...setting, value: randomBytes(32).toString('base64url') };
      await tx.run(insert('setting', row));
      return row;
    }));
  return Buffer.from(kept.value, 'base64url');
}
