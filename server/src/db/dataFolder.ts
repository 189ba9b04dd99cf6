import { makeFolder } from '../lib/folder.ts';
import { StorageError } from './contract.ts';

/** Creates a data folder that only its owner can access. Throws `StorageError`. */
export function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new StorageError(
      `cannot create the data folder: ${(error as Error).message}. Choose another with --data`,
    );
  }
}

/** Thrown if the location has no data, and the command must not create any. */
export class NoData extends StorageError {
  constructor(place: string) {
    super(
      `no data in ${place}: pass another location with --data or --database, or create data with "palaver start"`,
    );
  }
}
