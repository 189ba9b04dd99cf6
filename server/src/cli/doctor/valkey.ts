import { Redis } from 'ioredis';
import { attempt, type Finding, inWords, latencyOf } from './finding.ts';

/** Timeout for connecting, and for each response. */
const TIMEOUT_MS = 3_000;
/**
 * A latency above this is reported as a problem. It is half of a node's command timeout, after which the node
 * enforces limits on its own.
 */
const SLOW_MS = 75;
const MIN_VERSION = 7;

/** Checks the Valkey or Redis that nodes share. */
export async function examineValkey(url: string): Promise<Finding[]> {
  const redis = new Redis(url.replace(/^valkey/, 'redis'), {
    lazyConnect: true,
    connectionName: 'palaver doctor',
    disableClientInfo: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    retryStrategy: null,
    enableOfflineQueue: false,
    enableReadyCheck: false,
  });
  let reason: Error | undefined;
  redis.on('error', (error) => {
    reason ??= error;
  });
  const facts = new Map<string, string>();
  try {
    const reached = await attempt('valkey', async () => {
      await redis.connect().catch((error) => {
        throw reason ?? error;
      });
      for (const line of (await redis.info()).split('\r\n')) {
        const [name, value] = line.split(':', 2) as [string, string | undefined];
        if (value !== undefined) facts.set(name, value);
      }
      return server(facts, await latencyOf(() => redis.ping()));
    });
    return facts.size === 0 ? [reached] : [reached, await attempt('valkey memory', () => memory(facts))];
  } finally {
    redis.disconnect();
  }
}

function server(facts: ReadonlyMap<string, string>, latency: number): string {
  const valkey = facts.get('valkey_version');
  const name = valkey ? `Valkey ${valkey}` : `Redis ${facts.get('redis_version')}`;
  // Valkey also reports the Redis version with which it is compatible.
  if (Number.parseInt(facts.get('redis_version') ?? '', 10) < MIN_VERSION)
    throw new Error(`${name} is too old: ${MIN_VERSION} or later is needed`);
  if (facts.get('role') !== 'master') throw new Error(`${name} is a replica, which accepts no writes`);
  const words = `${name} responds in ${inWords(latency)}`;
  if (latency > SLOW_MS)
    throw new Error(`${words}: too slow, so nodes may fall back to per-node rate limits`);
  return words;
}

/**
 * Reports the memory limit. If Valkey evicts keys when it is full, request counts are lost and rate limits
 * let too many requests through. If it evicts nothing, writes fail and nodes treat Valkey as down.
 */
function memory(facts: ReadonlyMap<string, string>): string {
  const policy = facts.get('maxmemory_policy') ?? 'unknown';
  if (facts.get('maxmemory') === '0') return `no memory limit; maxmemory-policy ${policy}`;
  const bound = `maxmemory ${facts.get('maxmemory_human')}, maxmemory-policy ${policy}`;
  if (policy === 'noeviction') return bound;
  return `${bound}: when memory is full, request counts are evicted and rate limits let too many requests through; use noeviction`;
}
