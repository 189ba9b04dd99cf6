import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * An empty file in the data folder, locked by the process that serves it. The system releases the lock when
 * the process dies.
 */
const LOCK_FILE = 'palaver.lock';
/** How long to wait for a process that is just ending. */
const WAIT_MS = 1_000;
/** SQLite's error code for a lock that another process holds. */
const BUSY = 5;

/** The lock of a process that serves a data folder. */
export interface Presence {
  /** Whether other processes served the folder when this one started. */
  others: boolean;
  end(): void;
}

/**
 * Makes this process visible to other processes as one that serves the data folder. Throws SQLite's error.
 */
export function bePresent(folder: string): Presence {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: WAIT_MS });
  try {
    // Held until the process ends. The file is empty, so the lock blocks nothing else.
    lock.exec('begin exclusive');
    return { others: false, end: () => lock.close() };
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return { others: true, end() {} };
  }
}
