import type { Progress } from './output.ts';
import type { AccountPart } from './personHtml.ts';

/** How far the export of a person has come. */
export interface PersonProgress extends Progress {
  done: (Progress['done'][number] & { serverId: string })[];
  /** The servers of the channels so far. */
  servers: { id: string; name: string | null }[];
  /** The last channel that is complete. */
  passed: string;
  /** The number of tables of the account that are complete, and those with rows. */
  tables: number;
  account: AccountPart[];
}
