import type { FastifyBaseLogger } from 'fastify';
import { forgetEvents, forgetRows } from './forget.ts';
import { Sweeper, type SweepOptions } from './sweep.ts';

const FORGET_PERIOD_MS = 60_000;
/** How often marks of other processes are looked for, which may have ended before they had swept. */
const SWEEP_PERIOD_MS = 2_000;
const DAY_MS = 24 * 60 * 60_000;

interface Upkeep extends SweepOptions {
  /** Days that the event log is kept. */
  eventDays: number;
}

/**
 * Removes what has had its time, once a minute, and what is gone, as soon as it is, in small writes. Gives the function that
 * stops it.
 */
export function startUpkeep(upkeep: Upkeep, log: FastifyBaseLogger): () => Promise<void> {
  const abort = new AbortController();
  const sweeper = new Sweeper(upkeep);
  const failed = (error: unknown) => log.warn({ err: error }, 'upkeep failed and will be tried again');
  const sweeping = repeated(() => sweeper.sweepAll(abort.signal), failed);
  const forgetting = repeated(() => forget(upkeep, abort.signal), failed);
  upkeep.db.onMark(sweeping.run);
  const timers = [setInterval(sweeping.run, SWEEP_PERIOD_MS), setInterval(forgetting.run, FORGET_PERIOD_MS)];
  for (const timer of timers) timer.unref();
  sweeping.run();
  return async () => {
    abort.abort();
    for (const timer of timers) clearInterval(timer);
    await Promise.all([sweeping.ended(), forgetting.ended()]);
  };
}

/** One round of upkeep. */
export async function tidy(upkeep: Upkeep, signal?: AbortSignal): Promise<void> {
  await new Sweeper(upkeep).sweepAll(signal);
  await forget(upkeep, signal);
}

async function forget({ db, deps, eventDays }: Upkeep, signal?: AbortSignal): Promise<void> {
  await forgetRows(db, deps.now(), signal);
  await forgetEvents(db, deps.now() - eventDays * DAY_MS, signal);
}

/** A task that never runs twice at once; asked for while it runs, it runs once more. */
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
