import { type Work, workIn } from '../operations/work.ts';
import { consequences } from '../resources/consequences.ts';
import type { Data } from './data.ts';

/** Makes changes in one transaction, with events that have no actor. For commands and the first run. */
export function change<T>(
  { db, deps }: Pick<Data, 'db' | 'deps'>,
  work: (work: Work) => Promise<T>,
  serverId?: string,
): Promise<T> {
  return db.write(async (tx) => {
    const underWay = workIn(tx, { deps, consequences }, null);
    const result = await work(underWay);
    await underWay.pending.append(tx, deps);
    return result;
  }, serverId);
}
