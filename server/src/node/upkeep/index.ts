import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../../db/contract.ts';
import { forgetEvents, forgetRows } from './forget.ts';
import { sweepAll } from './sweep.ts';

const PERIOD_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

interface Upkeep {
  db: Db;
  now(): number;
  /** Days that the event log is kept. */
  eventDays: number;
}

/** Removes what has had its time, once a minute, in small writes. Gives the function that stops it. */
export function startUpkeep(upkeep: Upkeep, log: FastifyBaseLogger): () => Promise<void> {
  let running = Promise.resolve();
  const abort = new AbortController();
  const run = () => {
    running = running
      .then(() => tidy(upkeep, abort.signal))
      .catch((error) => log.warn({ err: error }, 'upkeep failed and will be tried again'));
  };
  const timer = setInterval(run, PERIOD_MS);
  timer.unref();
  return async () => {
    abort.abort();
    clearInterval(timer);
    await running;
  };
}

/** One round of upkeep. */
export async function tidy({ db, now, eventDays }: Upkeep, signal?: AbortSignal): Promise<void> {
  await sweepAll(db, signal);
  await forgetRows(db, now(), signal);
  await forgetEvents(db, now() - eventDays * DAY_MS, signal);
}
