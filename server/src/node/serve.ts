import { setTimeout as sleep } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { type FirstRun, firstRun } from './firstRun.ts';
import { type RunningNode, startNode } from './node.ts';
import { joinPeers } from './peers.ts';

/** How long a stop may take once it has drained, before the process ends in any case. */
const STOP_MS = 9_500;

/** A node that serves until its process is told to stop. */
export interface Served {
  url: string;
  /** What was made in new data; undefined where there were data. */
  first: FirstRun | undefined;
}

/** Serves until SIGTERM or SIGINT, then drains, answers what is in flight and ends the process. */
export async function serve(config: Config): Promise<Served> {
  const logger = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
  const { limits, proxies, privateWebhooks, host, port, eventDays } = config;
  const node = await startNode({
    data: config,
    limits,
    logger,
    proxies,
    privateWebhooks,
    join: (data) => joinPeers(config.redis, data, logger),
    listen: { host, port },
    webhooks: {},
    upkeep: { eventDays },
  });
  // Once it listens: a port that is taken must not cost the key.
  const first = await firstRun(node.data).catch(async (error) => {
    await node.close();
    throw error;
  });
  stopOnSignal(node, config.drain, logger);
  return { url: node.url, first };
}

function stopOnSignal(node: RunningNode, drainSeconds: number, logger: Logger): void {
  const drained = new AbortController();
  let isStopping = false;
  const stop = async (signal: string) => {
    // The second signal ends the draining.
    if (isStopping) return drained.abort();
    isStopping = true;
    logger.info({ signal }, 'stopping');
    node.drain();
    await sleep(drainSeconds * 1000, undefined, { signal: drained.signal }).catch(() => {});
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await node.close();
    logger.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
