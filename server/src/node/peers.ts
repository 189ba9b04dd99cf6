import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Relay } from '../feed/valkeyRelay.ts';
import type { Valkey } from '../lib/valkey.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { Data } from './data.ts';

/** If the clock differs from the database's by more than this, a warning is logged. */
const MAX_SKEW_MS = 1_000;
const SKEW_CHECK_MS = 60_000;

/** A node's connections to the other nodes that share the data. */
export interface Peers {
  /** The limiter that counts requests across all nodes. If omitted, each node counts its own. */
  limiter?: Limiter;
  valkey?: Valkey;
  /** The relay that connects the feeds of the nodes. */
  relay?: Relay;
  leave(): void;
}

/**
 * Registers this process as a node of the database, and connects it to the other nodes through the Valkey
 * server at `redis`, if given. Unless `others` is true, it must be the only node: throws StorageError if another
 * one is registered.
 */
export async function joinPeers(
  redis: string,
  { db, deps, cursorKey }: Data,
  log: FastifyBaseLogger,
  others = redis !== '',
): Promise<Peers> {
  const warning = await db.join(others);
  if (warning !== '') log.warn(warning);
  const stopWatching = watchClock(db, log);
  if (redis === '') return { leave: stopWatching };
  // The clients are loaded on demand, so a single node starts faster.
  const [{ Valkey }, { ValkeyRelay }, { SharedLimiter }] = await Promise.all([
    import('../lib/valkey.ts'),
    import('../feed/valkeyRelay.ts'),
    import('../limits/sharedLimiter.ts'),
  ]);
  // Several installations may share one Valkey server.
  const prefix = `palaver:${hash('sha256', cursorKey, 'hex').slice(0, 16)}:`;
  const valkey = new Valkey({
    url: redis,
    probeKey: `${prefix}probe`,
    onChange: (up, reason) => {
      if (up && reason === '') log.info('Valkey is available: limits are exact across all nodes');
      else log.warn({ reason }, 'Valkey is unavailable: each node applies its share of the limits');
    },
  });
  const relay = new ValkeyRelay(valkey, db, prefix);
  const limiter = new SharedLimiter(valkey, {
    prefix,
    window: WINDOW_MS,
    nodes: () => db.nodes(),
    now: deps.now,
  });
  return {
    limiter,
    valkey,
    relay,
    leave() {
      stopWatching();
      valkey.close();
    },
  };
}

function watchClock(db: Data['db'], log: FastifyBaseLogger): () => void {
  const check = () => {
    const ahead = db.skew();
    if (Math.abs(ahead) <= MAX_SKEW_MS) return;
    log.warn({ milliseconds: ahead }, "this machine's clock differs from the database's: synchronize it");
  };
  check();
  // Processes that use the same data folder share the machine's clock.
  if (!db.read.dialect.isDistant) return () => {};
  const timer = setInterval(check, SKEW_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
