import type { Authenticator, Principal } from '../access/principal.ts';
import type { Db, Reader } from '../db/contract.ts';
import type { Feed } from '../feed/feed.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import type { Limits } from '../limits/table.ts';
import type { Cursors } from './cursor.ts';
import type { Call } from './endpoint.ts';
import type { KeyUse } from './keyUse.ts';
import type { Streams } from './streams.ts';

/** What the pipeline works with. */
export interface Services {
  db: Db;
  deps: Deps;
  limits: Limits;
  limiter: Limiter;
  authenticator: Authenticator;
  keyUse: KeyUse;
  cursors: Cursors;
  seal: Seal;
  /** True if webhooks may be sent to private, loopback and link-local addresses. */
  privateWebhooks: boolean;
  feed: Feed;
  streams: Streams;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/** What an endpoint's functions are called with; in a write, with the time of its transaction. */
export function callOf<R extends Reader>(
  { deps, seal, privateWebhooks }: Pick<Services, 'deps' | 'seal' | 'privateWebhooks'>,
  principal: Principal,
  db: R,
  time: () => number | undefined = () => undefined,
): Call<R> {
  return {
    principal,
    db,
    seal,
    privateWebhooks,
    now: deps.now(time()),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps, time()),
  };
}
