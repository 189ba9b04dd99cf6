import type { Flag } from '../lib/flags.ts';

/** The roles and flags of a user in one server, or in none. */
export interface Standing {
  /** Null if they act in no server. */
  readonly serverId: string | null;
  readonly isServerCreator: boolean;
  readonly roleIds: readonly string[];
  /** The flags set by their roles. */
  readonly ownFlags: readonly Flag[];
  /** `ownFlags`, and the flags that `canAdmin` implies. */
  readonly flags: ReadonlySet<Flag>;
}

/** A user, with their standing in the server in which they act. Rules depend on nothing else of a caller. */
export interface Principal extends Standing {
  readonly userId: string;
  readonly userType: 'person' | 'agent';
  readonly platformAdmin: boolean;
  /** True for a person who is signed in; left out for the user of a key. Messages speak of the key otherwise. */
  readonly isSignedIn?: true;
}
