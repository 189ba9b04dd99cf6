import type { Db } from '../db/contract.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';
import type { Actor } from '../operations/work.ts';

/**
 * The dependencies of an erasure. A node also passes its feed, so that streams receive the events
 * immediately.
 */
export interface ErasureData {
  /** The actor of the events: the operator for a command, Palaver itself for closed accounts. */
  actor: Actor;
  deps: Deps;
  seal: Seal;
  db: Pick<Db, 'read' | 'write'>;
  feed?: Pick<Feed, 'wake' | 'tell'>;
  /** Called before long reads. Throws Interrupted once the erasure must stop. */
  goOn?: () => Promise<void>;
}
