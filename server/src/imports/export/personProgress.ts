import type { Progress } from './output.ts';
import type { AccountPart } from './personHtml.ts';

/** The progress of a person's export. */
export interface PersonProgress extends Progress {
  done: (Progress['done'][number] & { serverId: string })[];
  /** The servers of the channels exported so far. */
  servers: { id: string; name: string | null }[];
  /** The last completed channel. */
  passed: string;
  /** The number of completed account tables, and the tables with rows. */
  tables: number;
  account: AccountPart[];
}
