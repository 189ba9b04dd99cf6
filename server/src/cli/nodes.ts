import { hash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { News, type Relay } from '../feed/news.ts';
import { Valkey } from '../lib/valkey.ts';
import { SharedLimiter } from '../limits/sharedLimiter.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import { WINDOW_MS } from '../limits/table.ts';
import type { Data } from './data.ts';

/** A clock that is off by more than this, in milliseconds, is warned of, and how often it is looked at. */
const MAX_SKEW = 1_000;
const SKEW_PERIOD = 60_000;

/** What a node shares with others on the same data. */
interface Part {
  /** Absent where limits are kept by this process alone. */
  limiter?: Limiter;
  valkey?: Valkey;
  /** Tells the feeds of the others. */
  relay?: Relay;
  leave(): void;
}

/**
 * Registers this process as one of those that serve the data, and connects it with the others where `REDIS_URL` says how.
 * Throws `StorageError` where another node is there and they would know nothing of each other.
 */
export async function takePart(
  config: Config,
  { db, deps, cursorKey }: Data,
  log: FastifyBaseLogger,
): Promise<Part> {
  await db.join(config.redis !== '');
  const stopWatching = watchClock(db, log);
  if (config.redis === '') return { leave: stopWatching };
  // Several installations may share one Valkey.
  const prefix = `palaver:${hash('sha256', cursorKey, 'hex').slice(0, 16)}:`;
  const valkey = new Valkey({
    url: config.redis,
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
    if (Math.abs(ahead) <= MAX_SKEW) return;
    log.warn({ milliseconds: ahead }, "this machine's clock differs from the database's: synchronize it");
  };
  look();
  const timer = setInterval(look, SKEW_PERIOD);
  timer.unref();
  return () => clearInterval(timer);
}
