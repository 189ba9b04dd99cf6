import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, settings } from '../config.ts';
import { type Db, type Reader, StorageError, type Tx } from '../db/contract.ts';
import { openDatabase } from '../db/open.ts';
import { openPostgres } from '../db/postgres/index.ts';
import { find, prepare, q } from '../db/statements.ts';
import { beginEpochWhereMoved } from '../feed/epoch.ts';
import { createDeps, type Deps } from '../lib/deps.ts';
import { createSeal, type Seal } from '../lib/seal.ts';
import { type Work, workIn } from '../operations/work.ts';
import { consequences } from '../resources/consequences.ts';

/** A data folder that is open: what every command works with. */
export interface Data {
  db: Db;
  deps: Deps;
  seal: Seal;
  cursorKey: Uint8Array;
}

/** What says where the data are. */
export type DataConfig = Pick<Config, 'data' | 'secretKey'> &
  Partial<Pick<Config, 'database' | 'connections'>>;

export const databaseFile = (folder: string): string => join(folder, 'palaver.db');
export const keyFile = (folder: string): string => join(folder, 'secret.key');

/** Opens the data folder, making it on the first run. Throws `StorageError`. */
export async function openData(
  { data, database = '', connections = settings.connections.default, secretKey }: DataConfig,
  deps = createDeps(),
): Promise<Data> {
  const db = database
    ? await openPostgres({ url: database, connections })
    : openDatabase({ file: databaseFile(data) });
  try {
    // Messages and keys of everybody: for the operator's eyes only.
    if (!database) chmodSync(databaseFile(data), 0o600);
    await beginEpochWhereMoved(db, deps);
    const key = database ? await sharedKey(db, secretKey) : await ownKey(data, db, secretKey);
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
  serverId?: string,
): Promise<T> {
  return db.write(async (tx) => {
    const given = workIn(tx, { deps, consequences }, null);
    const result = await work(given);
    await given.told.append(tx, deps);
    return result;
  }, serverId);
}

/** The key in the data folder; made where there is none yet, and never anew while something needs the lost one. */
async function ownKey(folder: string, db: Db, given: string): Promise<Buffer> {
  if (given) return Buffer.from(given, 'base64url');
  if (!existsSync(keyFile(folder))) {
    if (await anySealed(db.read)) {
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

/**
 * The key that encrypts apps' secrets where several nodes share the data: the one that the operator gives to each of them,
 * or else one that lies in the database. Throws `StorageError` where a given one is not that of the others.
 */
async function sharedKey(db: Db, given: string): Promise<Buffer> {
  if (!given) return keyInDatabase(db, 'secretKey');
  const key = Buffer.from(given, 'base64url');
  const sealed = await anySealed(db.read);
  if (sealed !== undefined && !canOpen(key, sealed)) {
    throw new StorageError("PALAVER_SECRET_KEY is not the key that apps' secrets are encrypted with");
  }
  return key;
}

/** Something that the key has encrypted: an app's secret, or that of a webhook. */
async function anySealed(db: Reader): Promise<string | undefined> {
  for (const table of ['secret', 'webhook'] as const) {
    const row = await db.first(q.selectFrom(table).select('sealed').where('sealed', 'is not', null).limit(1));
    if (row?.sealed) return row.sealed;
  }
  return undefined;
}

/** True if the key opens what is sealed. */
export function canOpen(key: Uint8Array, sealed: string): boolean {
  try {
    createSeal(key).open(sealed);
    return true;
  } catch {
    return false;
  }
}

/** The key that authenticates cursors lies in the database, so that all who serve it accept each other's. */
const cursorKeyOf = (db: Db): Promise<Buffer> => keyInDatabase(db, 'cursorKey');

/** A key of 32 bytes in the table of settings; made by whoever asks for it first. */
async function keyInDatabase(db: Db, name: string): Promise<Buffer> {
  const kept = async (from: Reader) => (await from.first(find('setting', { name })))?.value;
  const make = async (tx: Tx) => {
    await tx.run(addSetting({ name, value: randomBytes(32).toString('base64url') }));
    return kept(tx);
  };
  return Buffer.from(((await kept(db.read)) ?? (await db.write(make))) as string, 'base64url');
}

const addSetting = prepare((p: { name: string; value: string }) =>
  q
    .insertInto('setting')
    .values({ name: p.name, value: p.value })
    .onConflict((conflict) => conflict.doNothing()),
);
