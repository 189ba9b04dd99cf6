import type { Authenticator, Principal } from '../access/principal.ts';
import type { Db, Reader } from '../db/contract.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Limiter } from '../limits/slidingWindow.ts';
import type { Limits } from '../limits/table.ts';
import type { Cursors } from './cursor.ts';
import type { Call } from './endpoint.ts';
import type { KeyUse } from './keyUse.ts';

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
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/** What an endpoint's functions are called with; in a write, with the time of its transaction. */
export function callOf<R extends Reader>(
  { deps, seal }: Pick<Services, 'deps' | 'seal'>,
  principal: Principal,
  db: R,
  time: () => number | undefined = () => undefined,
): Call<R> {
  return {
    principal,
    db,
    seal,
    now: deps.now(time()),
    randomBytes: deps.randomBytes,
    newRow: () => newRow(deps, time()),
  };
}
