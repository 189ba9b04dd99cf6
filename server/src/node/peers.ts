import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Relay } from '../feed/news.ts';
import type { Valkey } from '../lib/valkey.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { Data } from './data.ts';

/** A clock that is off by more than this is warned of. */
const MAX_SKEW_MS = 1_000;
const SKEW_PERIOD_MS = 60_000;

/** What a node shares with the other nodes on its data. */
export interface Peers {
  /** Counts requests over all nodes; left out where each node counts for itself. */
  limiter?: Limiter;
  valkey?: Valkey;
  /** Tells the feeds of the other nodes. */
  relay?: Relay;
  leave(): void;
}

/**
 * Registers this process as a node on the data and, if `redis` is not empty, connects it with the other nodes. Throws
 * `StorageError` where another node is registered and there is no Valkey between them.
 */
export async function joinPeers(
  redis: string,
  { db, deps, cursorKey }: Data,
  log: FastifyBaseLogger,
): Promise<Peers> {
  await db.join(redis !== '');
  const stopWatching = watchClock(db, log);
  if (redis === '') return { leave: stopWatching };
  // Loaded here: a node by itself starts sooner without the client of Valkey.
  const [{ Valkey }, { News }, { SharedLimiter }] = await Promise.all([
    import('../lib/valkey.ts'),
    import('../feed/news.ts'),
    import('../limits/sharedLimiter.ts'),
  ]);
  // Several installations may share one Valkey.
  const prefix = `palaver:${hash('sha256', cursorKey, 'hex').slice(0, 16)}:`;
  const valkey = new Valkey({
    url: redis,
    probeKey: `${prefix}probe`,
    onChange: (up, reason) => {
      if (up && reason === '') log.info('Valkey answers: limits are exact over all nodes');
      else
        log.warn(
          { reason },
          'Valkey is not as it should be: each node keeps its part of the limits by itself',
        );
    },
  });
  const relay = new News(valkey, db, prefix);
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
  const look = () => {
    const ahead = db.skew();
    if (Math.abs(ahead) <= MAX_SKEW_MS) return;
    log.warn({ milliseconds: ahead }, "this machine's clock differs from the database's: synchronize it");
  };
  look();
  const timer = setInterval(look, SKEW_PERIOD_MS);
  timer.unref();
  return () => clearInterval(timer);
}
