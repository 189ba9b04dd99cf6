import type { Tx } from '../db/contract.ts';
import { appendEvent } from '../feed/log.ts';
import type { Work } from '../http/endpoint.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import type { Data } from './data.ts';

/** Makes changes in one transaction, as nobody: their events have no actor. For commands and the first run. */
export function change<T>(
  { db, deps }: Pick<Data, 'db' | 'deps'>,
  work: (work: Work) => Promise<T>,
  serverId?: string,
): Promise<T> {
  return db.write((tx) => work(workOf(tx, deps)), serverId);
}

function workOf(tx: Tx, deps: Deps): Work {
  return {
    db: tx,
    now: deps.now(tx.time()),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps, tx.time()),
    emit: ({ channelId = null, ...event }) =>
      appendEvent(tx, { ...event, channelId, actorId: null, at: deps.now(tx.time()) }),
  };
}
