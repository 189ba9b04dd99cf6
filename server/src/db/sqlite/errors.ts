import { StorageError, StorageFull, UniqueViolation } from '../contract.ts';

/** The SQLite result codes that `nameError` translates (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  notADb: 26,
};

/** The extended code of `ioerr` for a file of the WAL index that cannot grow. */
const IOERR_SHMSIZE = codes.ioerr | (19 << 8);

/** Thrown if another process holds the write lock. The caller can retry. */
export class BusyError extends StorageError {}

/** Calls SQLite and translates its errors. */
export function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw nameError(error);
  }
}

/** Translates SQLite's errors to those in the contract; returns any other error unchanged. */
export function nameError(error: unknown): unknown {
  const { code, errcode, message } = error as { code?: string; errcode?: number; message: string };
  if (code === 'ERR_INVALID_STATE') return new StorageError('the database is closed');
  if (errcode === undefined) return error;
  const unique = /UNIQUE constraint failed: (.+)/.exec(message)?.[1];
  if (unique) {
    const columns = unique.split(', ').map((path) => path.split('.') as [string, string]);
    return new UniqueViolation(`${columns[0]?.[0]}(${columns.map(([, column]) => column)})`);
  }
  if (errcode === IOERR_SHMSIZE) return diskFull();
  switch (errcode & 0xff) {
    case codes.busy:
      return new BusyError('another process holds the write lock');
    case codes.full:
      return diskFull();
    case codes.readonly:
      return new StorageError('the data file cannot be written: check the permissions of the data folder');
    case codes.ioerr:
      return new StorageError(`the data file cannot be read or written: ${message}`);
    case codes.cantOpen:
      return new StorageError('the data file cannot be opened: check the data folder and its permissions');
    case codes.corrupt:
    case codes.notADb:
      return new StorageError(
        'the data file is damaged or is not a database: run "palaver doctor" or restore a backup',
      );
    default:
      return error;
  }
}

const diskFull = (): StorageFull =>
  new StorageFull('the disk is full and this write was not saved: free some space');
