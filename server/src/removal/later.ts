import type { FastifyBaseLogger } from 'fastify';
import type { startUpkeep } from './index.ts';

/** Delay after startup, in ms. By then, the node has served its first requests. */
const DELAY_MS = 1_000;

/** Like `startUpkeep`, but a second later. It also sweeps marks made in between. */
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
