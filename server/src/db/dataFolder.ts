import { makeFolder } from '../lib/folder.ts';
import { StorageError } from './contract.ts';

/** Creates a data folder that only its owner can access. Throws `StorageError`. */
export function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw new StorageError(
      `the data folder cannot be made: ${(error as Error).message}; name another with --data`,
    );
  }
}

/** There are no data at a place, and the command must not create any. */
export class NoData extends StorageError {
  constructor(place: string) {
    super(
      `there is no data in ${place}: name another place with --data or --database, or make data with "palaver start"`,
    );
  }
}
