import type { Db } from '../../db/contract.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Data } from '../data.ts';

/** The means of an erasure: open data, and in a node the feed, so that streams hear of it at once. */
export type ErasureData = Pick<Data, 'deps' | 'seal'> & {
  db: Pick<Db, 'read' | 'write'>;
  feed?: Pick<Feed, 'wake' | 'tell'>;
  /** Called before long reads. Throws Interrupted once the erasure must stop. */
  goOn?: () => Promise<void>;
};
