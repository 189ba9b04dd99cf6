import type { Db } from '../db/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import { transact, type Work, workIn } from '../operations/work.ts';
import { consequences } from './consequences.ts';

/** Makes changes in one transaction. Their events have no actor. For commands and the first run. */
export const change = <T>(
  { db, deps, feed }: { deps: Deps; db: Pick<Db, 'write'>; feed?: Pick<Feed, 'wake' | 'tell'> },
  task: (work: Work) => Promise<T>,
  serverId?: string,
): Promise<T> =>
  transact(
    { db, deps, ...(feed && { feed }) },
    (tx, pending) => task(workIn(tx, { deps, consequences }, null, pending)),
    serverId,
  );
