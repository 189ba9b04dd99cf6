import type { Db } from '../db/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import { type Actor, operator, transact, type Work, workIn } from '../operations/work.ts';
import { consequences } from './consequences.ts';

interface Changed {
  deps: Deps;
  db: Pick<Db, 'write'>;
  feed?: Pick<Feed, 'wake' | 'tell'>;
}

/** Makes changes as an actor, in one transaction. */
export const changeAs = <T>(
  actor: Actor,
  { db, deps, feed }: Changed,
  task: (work: Work) => Promise<T>,
  serverId?: string,
): Promise<T> =>
  transact(
    { db, deps, ...(feed && { feed }) },
    (tx, pending) => task(workIn(tx, { deps, consequences }, actor, pending)),
    serverId,
  );

/** Makes changes as the operator, in one transaction. Used by commands and by the initial setup. */
export const change = <T>(data: Changed, task: (work: Work) => Promise<T>, serverId?: string): Promise<T> =>
  changeAs(operator, data, task, serverId);
