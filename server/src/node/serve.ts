import type { Logger } from 'pino';
import { exposures } from '../config/exposed.ts';
import { mailFrom } from '../config/mail.ts';
import type { Config, LoadedConfig } from '../config.ts';
import { isNearlyFull } from '../lib/diskSpace.ts';
import { late } from '../lib/late.ts';
import { runtimeSettingNames } from '../limits/runtime.ts';
import type { Data } from './data.ts';
import { type FirstRun, firstRun } from './firstRun.ts';
import { createLog } from './log.ts';
import { type NodeOptions, type RunningNode, startNode } from './node.ts';
import { joinPeers } from './peers.ts';

/** Shutdown timeout after draining, in milliseconds. The process then exits regardless. */
const STOP_TIMEOUT_MS = 9_500;
/**
 * Size in bytes of Node's slabs for small buffers, such as request bodies. Node 26's slabs of 64 KiB live
 * long enough to be promoted to the old generation, which is rarely collected. Memory would then grow with
 * every body until the next major collection.
 */
const SLAB_BYTES = 8 * 1024;

/** A node that serves until its process receives a stop signal. */
export interface Served {
  url: string;
  data: Data;
  /** The result of the first run; set if the data is new. */
  first: FirstRun | undefined;
}

/**
 * Serves until SIGTERM or SIGINT, then drains, completes running requests and exits the process. The exit
 * code is 1 if a newer version has migrated the database, or if the shutdown takes too long. Throws
 * StorageError, or ConfigError if it cannot listen. `beside` allows other processes that serve the same data
 * folder.
 */
export async function serve(
  config: Config,
  sources: LoadedConfig['sources'],
  beside: boolean,
): Promise<Served> {
  Buffer.poolSize = SLAB_BYTES;
  const logger = await createLog(config);
  const node = await startNode(optionsOf(config, sources, beside, logger)).catch(async (error) => {
    // The module is imported here because it is rarely needed.
    const { listenError } = await import('./listening.ts');
    throw listenError(error, config);
  });
  // The first run starts only once the node listens. Otherwise, if the port were taken, the key would be
  // created but never shown.
  const first = await firstRun(node.data, config.maxKeyDays).catch(async (error) => {
    await node.close();
    throw error;
  });
  for (const warning of exposures(config)) logger.warn(warning);
  if (await isNearlyFull(node.disks)) logger.warn('the disk is nearly full: changes are rejected');
  stopOnSignal(node, config.drain, logger);
  return { url: node.url, data: node.data, first };
}

/** Derives the node's options from the settings. */
function optionsOf(
  config: Config,
  sources: LoadedConfig['sources'],
  beside: boolean,
  logger: Logger,
): NodeOptions {
  const { host, port } = config;
  return {
    data: config,
    limits: config.limits,
    agentCeiling: config.agentCeiling,
    quotas: config.quotas,
    logger,
    proxies: config.proxies,
    maxKeyDays: config.maxKeyDays,
    hosts: config.hosts,
    address: config.address,
    ownSettings: Object.fromEntries(
      runtimeSettingNames.map((name) => [name, { value: config[name], source: sources[name] }]),
    ),
    startSettings: late(async () => (await import('../config/shown.ts')).shownSettings({ config, sources })),
    bounds: config,
    minFreeMegabytes: config.minFreeMegabytes,
    metrics:
      config.metricsPort !== 0
        ? { host, port: config.metricsPort }
        : config.metrics === 'open'
          ? 'open'
          : undefined,
    privateWebhooks: config.privateWebhooks,
    webhookHosts: config.webhookHosts,
    secondFactor: config.secondFactor,
    callUrl: config.callUrl,
    flowBounds: {
      runsPerMinute: config.flowRunsPerMinute,
      writesPerMinute: config.flowWritesPerMinute,
      waiting: config.flowWaiting,
    },
    join: (data) => joinPeers(config.redis, data, logger, config.database ? config.redis !== '' : beside),
    listen: { host, port },
    webhooks: {},
    timers: true,
    push: { allowPrivate: config.pushPrivate, hosts: [] },
    clientDocuments: { allowPrivate: config.clientDocumentsPrivate },
    mail: mailFrom(config),
    providers: config.providers,
    upkeep: { eventDays: config.eventDays },
  };
}

function stopOnSignal(node: RunningNode, drainSeconds: number, logger: Logger): void {
  const drained = new AbortController();
  let isStopping = false;
  const stop = async (code: number) => {
    // A second signal ends the draining early.
    if (isStopping) return drained.abort();
    isStopping = true;
    await node.drain(drainSeconds * 1000, drained.signal);
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref();
    await node.close();
    logger.flush(() => process.exit(code));
  };
  const stopOn = (signal: string) => {
    if (!isStopping) logger.info({ signal }, 'stopping');
    void stop(0);
  };
  process.on('SIGTERM', stopOn);
  process.on('SIGINT', stopOn);
  node.data.db.onOutdated((reason) => {
    logger.fatal(`stopping: ${reason}`);
    if (!isStopping) void stop(1);
  });
}
