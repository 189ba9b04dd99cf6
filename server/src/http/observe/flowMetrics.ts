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

/** While a run is `running`, its `updatedAt` is the time at which it was started or woken. */
const oldest = prepare((_p: object) =>
  q
    .selectFrom('flowRun')
    .select('updatedAt')
    .where('status', '=', sql.lit('running'))
    .orderBy('updatedAt')
    .limit(sql.lit(1)),
);

/** Metrics about flows: the work done by this node, and the work that is pending on all nodes. */
export function measureFlows(registry: Registry, db: Db, now: () => number): void {
  const { runs } = figuresOf(db);
  registry.countEach('flow_runs', 'Flow runs started and ended by this node', 'outcome', runs);
  registry.count('flow_steps', 'Flow steps executed', () => figuresOf(db).steps);
  registry.gauge('flow_runs_waiting', 'Waiting flow runs, across all nodes', async () =>
    Number((await db.read.first(waiting({})))?.amount ?? 0),
  );
  registry.gauge(
    'flow_lag_seconds',
    'Age in seconds of the oldest flow run that is ready to continue',
    async () => {
      const row = await db.read.first(oldest({}));
      return row ? Math.max(0, (now() - row.updatedAt) / 1000) : 0;
    },
  );
}
