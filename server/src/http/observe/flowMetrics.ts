import { sql } from 'kysely';
import type { Db } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';
import { figuresOf } from '../../operations/flowFigures.ts';
import type { Registry } from './exposition.ts';

const waiting = prepare((_p: object) =>
  q
    .selectFrom('flowRun')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('status', '=', sql.lit('waiting')),
);

/** For a running run, `updatedAt` is the time at which it was started or woken. */
const oldest = prepare((_p: object) =>
  q
    .selectFrom('flowRun')
    .select('updatedAt')
    .where('status', '=', sql.lit('running'))
    .orderBy('updatedAt')
    .limit(sql.lit(1)),
);

/** Metrics of flows: the work done by this node, and the work pending on all nodes. */
export function measureFlows(registry: Registry, db: Db, now: () => number): void {
  const { runs } = figuresOf(db);
  registry.countEach('flow_runs', 'Runs of flows that this node started and ended', 'outcome', runs);
  registry.count('flow_steps', 'Executed steps of flows', () => figuresOf(db).steps);
  registry.gauge('flow_runs_waiting', 'Waiting runs of all nodes', async () =>
    Number((await db.read.first(waiting({})))?.amount ?? 0),
  );
  registry.gauge('flow_lag_seconds', 'Age of the oldest run that is ready to continue', async () => {
    const row = await db.read.first(oldest({}));
    return row ? Math.max(0, (now() - row.updatedAt) / 1000) : 0;
  });
}
