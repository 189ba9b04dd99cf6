import { setTimeout as sleep } from 'node:timers/promises';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { type FirstRun, firstRun } from './firstRun.ts';
import { type RunningNode, startNode } from './node.ts';
import { joinPeers } from './peers.ts';

/** The time limit of a stop after the draining. Then the process exits in any case. */
const STOP_TIMEOUT_MS = 9_500;

/** A node that serves until its process is told to stop. */
export interface Served {
  url: string;
  /** Set if the data are new. */
  first: FirstRun | undefined;
}

/** Serves until SIGTERM or SIGINT. Then drains, answers requests under way and exits the process. */
export async function serve(config: Config): Promise<Served> {
  const logger = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
  const { limits, agentCeiling, quotas, proxies, privateWebhooks, host, port, eventDays } = config;
  const node = await startNode({
    data: config,
    limits,
    agentCeiling,
    quotas,
    logger,
    proxies,
    privateWebhooks,
    join: (data) => joinPeers(config.redis, data, logger),
    listen: { host, port },
    webhooks: {},
    upkeep: { eventDays },
  });
  // Only now that it listens: if the port were taken, the key would be made but never shown.
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
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await node.close();
    logger.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
