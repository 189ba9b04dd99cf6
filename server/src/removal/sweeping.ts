import type { Reader } from '../db/contract.ts';
import type { Work } from '../operations/work.ts';

/** The functions with which a sweep makes its own writes. */
export interface Sweeping {
  /** Reads committed data. */
  read: Reader;
  /**
   * Makes a change in one transaction, as the mark's actor. The transaction is serialized with other writes
   * to the logs of `serverId` and `alsoIn`, which are the ids of servers and users.
   */
  change<T>(task: (work: Work) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
}
