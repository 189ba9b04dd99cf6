import { dirname } from 'node:path';
import { StorageError } from '../contract.ts';
import { SqliteConnection } from './connection.ts';
import { BusyError } from './errors.ts';

/** How long to wait for other processes to close the file. */
const BUSY_TIMEOUT_MS = 5_000;

/** Thrown if another process has the file open. */
export class InUse extends StorageError {}

/**
 * Opens a file exclusively, in a transaction. Throws `InUse` if another process has it open, or
 * `StorageError`.
 */
export function openAlone(file: string): SqliteConnection {
  const connection = new SqliteConnection(file, { busyTimeout: BUSY_TIMEOUT_MS });
  try {
    // An exclusive locking mode that is set before the first read locks the whole file. It fails if another
    // process has the file open.
    connection.exec('pragma locking_mode = exclusive; pragma cache_size = -32000');
    connection.scalar('begin immediate');
    return connection;
  } catch (error) {
    connection.close();
    if (!(error instanceof BusyError)) throw error;
    throw new InUse(`another process has ${dirname(file)} open: stop the server that uses it`);
  }
}
