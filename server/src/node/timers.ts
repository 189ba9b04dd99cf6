import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { ClockOptions } from '../clock/clock.ts';
import { LaterClock } from '../clock/later.ts';
import type { Timer } from '../clock/timers.ts';
import { q } from '../db/statements.ts';
import type { Feed } from '../feed/feed.ts';
import { late } from '../lib/late.ts';
import type { FlowEngine } from '../resources/flow/engine/engine.ts';

/** Delay after startup, in ms, during which the node serves its first requests. */
const DELAY_MS = 500;

/**
 * Starts the clock for everything that runs at a given time, such as scheduled messages, reminders and flows.
 */
export function startTimers(
  app: FastifyInstance,
  { feed, ...options }: Omit<ClockOptions, 'run' | 'busy'> & { feed: Feed },
) {
  let engine: FlowEngine | undefined;
  const flows = late(async () => {
    engine = await app.createFlows(() => void clock.look());
    return engine;
  });
  const clock: LaterClock = new LaterClock(
    {
      ...options,
      run: async (timer) =>
        timer.kind === 'flow' || timer.kind === 'flowRun'
          ? (await flows()).run(timer as Timer)
          : app.runDue(timer),
      busy: () => engine?.busy() ?? [],
    },
    app.log,
  );
  const { db } = options;
  let isStopped = false;
  let version = Number.NaN;
  /**
   * Loads the flow engine once there is a flow that is triggered by events. Checks when `authorityVersion`
   * changes, because saving such a flow changes it.
   */
  const look = () => {
    if (engine || isStopped || version === db.authorityVersion()) return;
    version = db.authorityVersion();
    const found = db.read.first(onEvents).then((flow) => (flow ? flows() : undefined));
    found.catch((error) => {
      version = Number.NaN;
      app.log.warn({ err: error }, 'looking for flows failed and will be retried');
    });
  };
  const start = setTimeout(() => {
    look();
    feed.onWake(look);
  }, DELAY_MS).unref();
  return {
    clock,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(start);
      await clock.stop();
      await engine?.stop();
    },
  };
}

// The value is a literal, because SQLite would not use the partial index with a parameter.
const onEvents = q
  .selectFrom('flow')
  .select('id')
  .where('triggeredBy', '=', sql.lit('event'))
  .where('enabled', '=', true)
  .limit(1);
