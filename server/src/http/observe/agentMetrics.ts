import type { Db } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import type { Registry } from './exposition.ts';

const activeGrants = prepare((p: { now: number }) =>
  q
    .selectFrom('grant')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('expiresAt', '>', p.now),
);

/** A message has a row in this table until its stream ends. */
const openStreams = prepare((_p: object) =>
  q.selectFrom('messageStream').select((eb) => eb.fn.countAll<number>().as('amount')),
);

/** Metrics about agents on all nodes: the grants of apps, and the messages that are being streamed. */
export function measureAgents(registry: Registry, db: Db, now: () => number): void {
  registry.gauge('grants', 'Active grants, across all nodes', async () =>
    Number((await db.read.first(activeGrants({ now: now() })))?.amount ?? 0),
  );
  registry.gauge('messages_streaming', 'Messages that are being streamed, across all nodes', async () =>
    Number((await db.read.first(openStreams({})))?.amount ?? 0),
  );
}
