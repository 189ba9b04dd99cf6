import type { FastifyBaseLogger } from 'fastify';
import type { startUpkeep } from './index.ts';

/** Delay after startup, in ms, so that the node serves its first requests first. */
const DELAY_MS = 1_000;

/** Like `startUpkeep`, but starts a second later. Marks that were added in the meantime are swept, too. */
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
