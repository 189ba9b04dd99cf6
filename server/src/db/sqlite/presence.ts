import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ServingNode } from '../upgrade.ts';
import { schemaVersion } from '../version.ts';

/**
 * A lock file in the data folder: a database without tables, locked by the process that serves the folder.
 * Its header contains that process's id and the schema that it supports. The system releases the lock when
 * the process dies.
 */
const LOCK_FILE = 'palaver.lock';
/** Timeout for another process to shut down, in ms. */
const WAIT_MS = 1_000;
/**
 * The offsets of `user_version` and `application_id` in SQLite's header (sqlite.org/fileformat.html, part
 * 1.3).
 */
const PROCESS_OFFSET = 60;
const SCHEMA_OFFSET = 68;
/** SQLite's error code for a lock that another process holds. */
const BUSY = 5;

/** The lock that a process holds while it serves a data folder. */
export interface Presence {
  /** Whether other processes were serving the folder when this one started. */
  others: boolean;
  end(): void;
}

/**
 * Registers this process as serving the data folder, so that other processes can see it. Throws SQLite's
 * error.
 */
export function bePresent(folder: string): Presence {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: WAIT_MS });
  try {
    // The locking mode is set under the lock. Otherwise, a waiting process would keep its shared lock, and
    // two processes that start at the same time would block each other.
    lock.exec('pragma journal_mode = memory; begin exclusive; pragma locking_mode = exclusive');
    // The lock is held until `end` or until the process dies. It blocks nothing else, because the file has no
    // tables.
    lock.exec(`pragma user_version = ${process.pid}; pragma application_id = ${schemaVersion};
      commit; begin exclusive`);
    return { others: false, end: () => lock.close() };
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return { others: true, end() {} };
  }
}

/** Describes the other process that serves a data folder; undefined if there is none. */
export function servingProcess(folder: string): ServingNode | undefined {
  const file = join(folder, LOCK_FILE);
  if (!existsSync(file)) return undefined;
  const lock = new DatabaseSync(file);
  try {
    lock.exec('begin exclusive');
    return undefined;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) return undefined;
    return holderOf(file);
  } finally {
    lock.close();
  }
}

/** Reads the header directly, because SQLite cannot open a locked file. */
function holderOf(file: string): ServingNode {
  const header = readFileSync(file);
  if (header.length < SCHEMA_OFFSET + 4) return { name: 'another process', schema: 0 };
  return {
    name: `process ${header.readUInt32BE(PROCESS_OFFSET)}`,
    schema: header.readUInt32BE(SCHEMA_OFFSET),
  };
}
