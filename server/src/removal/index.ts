import type { FastifyBaseLogger } from 'fastify';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { repeated } from '../lib/repeated.ts';
import { type Periods, periods, Retention, type RetentionOptions, runRound } from './forgetter.ts';
import { Sweeper, type SweepOptions } from './sweeper.ts';

/** Poll interval for marks left behind by processes that died before their sweep. */
const SWEEP_PERIOD_MS = 2_000;

/** `pulse` schedules the polls. */
type Upkeep = SweepOptions & RetentionOptions & { pulse?: Pulse };

/**
 * Starts the background jobs, which use small writes. They sweep the dependents of deleted rows immediately
 * and, if this process is the leader, run a round (`runRound`) every minute. Returns the function that stops
 * them. Tests use shorter periods.
 */
export function startUpkeep(
  upkeep: Upkeep,
  log: FastifyBaseLogger,
  timing: Periods = periods,
): () => Promise<void> {
  const abort = new AbortController();
  const sweeper = new Sweeper({ ...upkeep, log });
  const sweeping = repeated(() => sweeper.sweepAll(abort.signal), new Outage(log, 'sweeping deleted rows'));
  const began = () => log.info('this node is now the leader for upkeep');
  const forgetter = new Retention({ ...upkeep, log }, { ...timing, began });
  const tidying = new Outage(log, 'removing abandoned uploads');
  const upkeeping = new Outage(log, 'upkeep');
  const forgetting = repeated(async () => {
    // Every node does this, because its folder for incoming files may not be shared.
    await tidying.watch(() => upkeep.files.incoming.removeAbandoned());
    await forgetter.look(abort.signal);
  }, upkeeping);
  upkeep.db.onMark(() => {
    if (!abort.signal.aborted) void sweeping.run();
  });
  upkeep.db.onUnindexed((item, isFailing) => {
    if (isFailing) log.warn({ queue: 'search', item }, 'a queued item failed and will be retried');
    else log.info({ queue: 'search', item }, 'a queued item succeeded after failures');
  });
  const { pulse = new Pulse() } = upkeep;
  const stops = [pulse.every(SWEEP_PERIOD_MS, sweeping.run), pulse.every(timing.look, forgetting.run)];
  pulse.stayAwakeWhile(() => sweeping.isRunning());
  sweeping.run();
  return async () => {
    abort.abort();
    for (const stop of stops) stop();
    await Promise.all([sweeping.ended(), forgetting.ended()]);
    await upkeeping.watch(() => forgetter.stop());
  };
}

/** Runs one round of background jobs over all data. */
export async function tidy(upkeep: Upkeep): Promise<void> {
  await new Sweeper(upkeep).sweepAll();
  await upkeep.files.incoming.removeAbandoned();
  await runRound(upkeep, undefined, { goesOn: async () => true, note: async () => {} });
}
