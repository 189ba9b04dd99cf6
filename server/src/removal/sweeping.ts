import type { Reader } from '../db/contract.ts';
import type { Work } from '../operations/work.ts';

/** The means of a sweep that makes writes of its own. */
export interface Sweeping {
  /** Reads committed data. */
  read: Reader;
  /**
   * Makes a change in one transaction, whose actor is that of the mark. It is serial with others on the logs of `serverId` and
   * `alsoIn`, the ids of servers and users.
   */
  change<T>(task: (work: Work) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
}
