import type { FastifyBaseLogger } from 'fastify';
import type { startUpkeep } from './index.ts';

/** The time after a start that upkeep begins, in ms: its files are loaded once the node has answered its first requests. */
const DELAY_MS = 1_000;

/** As `startUpkeep`, a second later. What was marked for a sweep meanwhile is swept then. */
export function startUpkeepLater(
  upkeep: Parameters<typeof startUpkeep>[0],
  log: FastifyBaseLogger,
): () => Promise<void> {
  let started: Promise<() => Promise<void>> | undefined;
  const start = async () => (await import('./index.ts')).startUpkeep(upkeep, log);
  const timer = setTimeout(() => {
    started = start();
  }, DELAY_MS);
  timer.unref();
  return async () => {
    clearTimeout(timer);
    const stop = await started;
    await stop?.();
  };
}
