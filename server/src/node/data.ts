import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, settings } from '../config.ts';
import { type Db, StorageError } from '../db/contract.ts';
import { largestId } from '../db/largestId.ts';
import type { Report } from '../db/upgrade.ts';
import { beginEpochWhereMoved } from '../feed/epoch.ts';
import { Files } from '../files/files.ts';
import { createDeps, type Deps } from '../lib/deps.ts';
import { createSeal, type Seal } from '../lib/seal.ts';
import { keyInDatabase, secretKeysInDatabase, secretKeysInFolder } from './secretKey.ts';

/** The opened data: the database, its keys, and other dependencies of the app and of commands. */
export interface Data {
  /** The data folder. */
  folder: string;
  db: Db;
  deps: Deps;
  /** Encrypts stored secrets. */
  seal: Seal;
  /** The key that authenticates cursors: 32 bytes. */
  cursorKey: Uint8Array;
  /** The uploaded files. */
  files: Files;
}

/** Data settings: where the data is stored and how it is encrypted. */
export type DataConfig = Pick<Config, 'data'> &
  Partial<
    Pick<
      Config,
      'database' | 'connections' | 'cacheMegabytes' | 'secretKey' | 'files' | 'filesKey' | 'filesRegion'
    >
  >;

/** Returns the embedded database's file in a data folder. */
export const databaseFile = (folder: string): string => join(folder, 'palaver.db');

export interface OpenOptions {
  /** If set, throws NoData instead of creating new data. */
  existing?: boolean;
  /** Receives a line while a migration waits for nodes of an older version to stop; by default, prints it. */
  report?: Report;
}

const print: Report = (line) => process.stderr.write(`${line}\n`);

/**
 * Opens a data folder or a PostgreSQL database. Creates new data if there is none, unless `existing` is set.
 * Throws StorageError, or its subclass NoData.
 */
export async function openData(
  config: DataConfig,
  deps = createDeps(),
  { existing = false, report = print }: OpenOptions = {},
): Promise<Data> {
  const { data, database = '', connections = settings.connections.default, secretKey = '' } = config;
  const options = { existing, report };
  const db = database ? await openServer(database, connections, options) : await openFolder(config, options);
  try {
    deps.follow(() => db.skew());
    const last = await largestId(db.read);
    if (last !== undefined) deps.startAfter(last);
    await beginEpochWhereMoved(db, deps);
    const keys = database
      ? await secretKeysInDatabase(db, secretKey)
      : await secretKeysInFolder(data, db.read, secretKey);
    // The key is stored in the database, so all nodes accept each other's cursors.
    const cursorKey = await keyInDatabase(db, 'cursorKey');
    return { folder: data, db, deps, seal: createSeal(keys), cursorKey, files: new Files(config) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

// Engines are loaded on demand, so commands that use a data folder don't load the PostgreSQL driver.

async function openServer(url: string, connections: number, options: OpenOptions): Promise<Db> {
  const { openPostgres } = await import('../db/postgres/index.ts');
  return openPostgres({ url, connections, ...options });
}

/**
 * Restricts access to the file to its owner, because it contains everybody's messages. Throws `StorageError`
 * if it belongs to another user.
 */
function keepToOwner(file: string): void {
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    throw new StorageError(
      `the data file belongs to another user: start Palaver as that user, or take ownership of the data folder and its files (${file})`,
    );
  }
}

async function openFolder({ data: folder, cacheMegabytes }: DataConfig, options: OpenOptions): Promise<Db> {
  const { openDatabase } = await import('../db/open.ts');
  const db = await openDatabase({ file: databaseFile(folder), cacheMegabytes, ...options });
  try {
    keepToOwner(databaseFile(folder));
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}
