import type { FastifyBaseLogger } from 'fastify';
import { eraseClosed } from './eraseClosed.ts';
import { forgetFiles } from './forgetFiles.ts';
import { type ForgetOptions, Forgetter, forget, type Periods, periods } from './forgetter.ts';
import { Sweeper, type SweepOptions } from './sweep.ts';

/** Period of looking for marks left by processes that ended before their sweep. */
const SWEEP_PERIOD_MS = 2_000;

type Upkeep = SweepOptions & ForgetOptions;

/**
 * Starts upkeep: sweeps dependents of deleted rows at once, and removes expired rows and events once a minute, unless
 * another process does that; both in small writes. Returns the function that stops it. Tests have shorter periods.
 */
export function startUpkeep(
  upkeep: Upkeep,
  log: FastifyBaseLogger,
  timing: Periods = periods,
): () => Promise<void> {
  const abort = new AbortController();
  const sweeper = new Sweeper(upkeep);
  const failed = (error: unknown) => log.warn({ err: error }, 'upkeep failed and will be tried again');
  const sweeping = repeated(() => sweeper.sweepAll(abort.signal), failed);
  const began = () => log.info('this node removes what has expired');
  const forgetter = new Forgetter(upkeep, { ...timing, began });
  const forgetting = repeated(async () => {
    // Each node looks for its own: the folder of arriving files may be its alone.
    await upkeep.files.incoming.removeAbandoned();
    await forgetter.look(abort.signal);
  }, failed);
  upkeep.db.onMark(sweeping.run);
  const timers = [setInterval(sweeping.run, SWEEP_PERIOD_MS), setInterval(forgetting.run, timing.look)];
  for (const timer of timers) timer.unref();
  sweeping.run();
  return async () => {
    abort.abort();
    for (const timer of timers) clearInterval(timer);
    await Promise.all([sweeping.ended(), forgetting.ended()]);
    await forgetter.stop().catch(failed);
  };
}

/** Runs one round of upkeep, over all data. */
export async function tidy(upkeep: Upkeep): Promise<void> {
  await new Sweeper(upkeep).sweepAll();
  await upkeep.files.incoming.removeAbandoned();
  await forget(upkeep, undefined, async () => true);
  await eraseClosed(upkeep, async () => true);
  await forgetFiles(upkeep, async () => true);
}

/** Wraps a task so that it never runs concurrently with itself. Calls of `run` during a run cause one more run. */
function repeated(task: () => Promise<void>, failed: (error: unknown) => void) {
  let running: Promise<void> | undefined;
  let isAskedFor = false;
  const runAll = async () => {
    while (isAskedFor) {
      isAskedFor = false;
      await task().catch(failed);
    }
    running = undefined;
  };
  return {
    run: () => {
      isAskedFor = true;
      running ??= runAll();
    },
    ended: () => running ?? Promise.resolve(),
  };
}
