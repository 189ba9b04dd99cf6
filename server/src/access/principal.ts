import type { Flag } from '../lib/flags.ts';

/** A user's roles and flags in one server, or in none. */
export interface Standing {
  /** Null if the user acts in no server. */
  readonly serverId: string | null;
  readonly isServerCreator: boolean;
  readonly roleIds: readonly string[];
  /** The flags set by the user's roles. */
  readonly ownFlags: readonly Flag[];
  /** `ownFlags` plus the flags that `canAdmin` implies. */
  readonly flags: ReadonlySet<Flag>;
}

/**
 * A user with their permissions in the server in which they act. Rules depend on no other facts about a
 * caller.
 */
export interface Principal extends Standing {
  readonly userId: string;
  readonly userType: 'person' | 'agent';
  readonly platformAdmin: boolean;
  /**
   * When their time-out in the server ends, in milliseconds since the Unix epoch. Omitted or null if they
   * have none.
   */
  readonly timeoutUntil?: number | null;
  /** True for a signed-in person. If omitted, error messages speak of an API key. */
  readonly isSignedIn?: true;
  /** True for an app to which a person granted some of their flags in one server. */
  readonly isGranted?: true;
}
