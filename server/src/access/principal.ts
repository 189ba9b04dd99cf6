import type { Flag } from '../lib/flags.ts';

/** How somebody stands in one server, or in none. */
export interface Standing {
  /** The server that they act in; null for none. */
  readonly serverId: string | null;
  readonly isServerCreator: boolean;
  readonly roleIds: readonly string[];
  /** The flags that their roles set. */
  readonly ownFlags: readonly Flag[];
  /** The same with those that `canAdmin` implies. */
  readonly flags: ReadonlySet<Flag>;
}

/** A user, and how they stand in the server that they act in: all that rules look at of a caller. */
export interface Principal extends Standing {
  readonly userId: string;
  readonly userType: 'person' | 'agent';
  readonly platformAdmin: boolean;
}
