import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** In the data folder: an empty file on which each process that serves it holds a lock. The system lets go of it at its end. */
const LOCK_FILE = 'palaver.lock';
/** Maximum wait for another process that is just looking. */
const LOOK_MS = 1_000;

/** The lock of a process that serves a data folder. */
export interface Presence {
  /** True if others served the folder when this process came. */
  others: boolean;
  end(): void;
}

/** Tells other processes that this one serves the data folder. Throws the error of SQLite. */
export function bePresent(folder: string): Presence {
  const lock = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
  const others = !takes(lock, 'begin exclusive; rollback');
  lock.exec(`pragma busy_timeout = ${LOOK_MS}`);
  // A transaction that has read keeps a shared lock. The file is empty, so there is nothing else that it would keep.
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
