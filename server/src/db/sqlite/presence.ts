import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * An empty file in the data folder, locked by each process that serves it. The system releases the lock when
 * the process dies.
 */
const LOCK_FILE = 'palaver.lock';
/** Timeout for a process that is only checking. */
const LOOK_MS = 1_000;

/** The lock of a process that serves a data folder. */
export interface Presence {
  /** Whether other processes served the folder when this one started. */
  others: boolean;
  end(): void;
}

/** Announces to other processes that this one serves the data folder. Throws SQLite's error. */
export function bePresent(folder: string): Presence {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  const others = !takes(lock, 'begin exclusive; rollback');
  lock.exec(`pragma busy_timeout = ${LOOK_MS}`);
  // A transaction that has read keeps a shared lock. The file is empty, so the transaction holds up nothing
  // else.
  takes(lock, 'begin; select count(*) from sqlite_schema');
  return { others, end: () => lock.close() };
}

function takes(lock: DatabaseSync, sql: string): boolean {
  try {
    lock.exec(sql);
    return true;
  } catch {
    return false;
  }
}
