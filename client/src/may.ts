import type { Flag, Operation } from './generated/permissions.ts';
import { may as ask } from './generated/rules.ts';

export type { Flag, Operation } from './generated/permissions.ts';

/** A person in a server: `standing` of its snapshot. */
export interface Standing {
  readonly userId: string;
  readonly userType: 'person' | 'agent';
  readonly platformAdmin: boolean;
  readonly serverId: string | null;
  readonly isServerCreator: boolean;
  readonly roleIds: readonly string[];
  readonly ownFlags: readonly Flag[];
  readonly flags: readonly Flag[];
}

/** The fields of a channel that decide who can see it and write to it. Every channel of a snapshot has them. */
export interface ChannelView {
  readonly private: boolean;
  readonly readonly: boolean;
  readonly roleIds: readonly string[];
}

/** The facts about a write's target that rules check. */
export interface Target {
  /** The person's server if left out; null for a person's own things, which are in no server. */
  serverId?: string | null;
  /** The channel of the target. */
  channel?: ChannelView;
  /** The channel the write moves the target to. */
  nextChannel?: ChannelView;
  /** The target's creator or owner: the `creatorId` of a message, the `userId` of a reaction. */
  ownerId?: string;
  /** For a new membership: its user, and whether the server is public or the user has a live invite. */
  admission?: { userId: string; open: boolean };
}

/** The facts for further conditions. Conditions whose facts are left out are skipped, and left to the server. */
export interface Facts {
  /** For a message or reaction in a thread: whether the thread is locked. */
  lockedThread?: { isLocked: boolean };
  /** For a role to be assigned, revoked or changed: its flags. */
  holdsFlags?: { flags: readonly Flag[] };
  /** For a role to be deleted. */
  lastingRole?: { isDefault: boolean; isCreatorRole: boolean };
  /** For an API key to be minted or rotated: the user it acts as, and the server's `creatorId`. */
  actsAs?: {
    user: { id: string; type: 'person' | 'agent'; platformAdmin: boolean };
    serverCreatorId: string;
  };
  /** For a key or webhook to be revoked: its permissions beyond those of every member. */
  withinReach?: { flags: readonly Flag[]; seesMore: boolean; actsAsAnother: boolean };
  /** For a change that could remove the last admin: whether one would remain. */
  administrable?: { hasAdministrator: boolean };
  /** For a server to be transferred or deleted. No facts: only its creator may. */
  handedOver?: object;
  deletable?: object;
  /** For a membership to be ended: its user, and the server's `creatorId`. */
  creatorStays?: { userId: string; serverCreatorId: string };
  /** For a ban: its user, and the server's `creatorId`. */
  bannable?: { userId: string; serverCreatorId: string };
}

/** Whether something is allowed, and why not. */
export interface Permission {
  allowed: boolean;
  /** The rule, as worded in the table of permissions. */
  rule: string;
  /** The refusal's message; empty if allowed. */
  message: string;
  /** Flags any one of which would suffice. */
  need: readonly Flag[];
}

/**
 * Whether the server would allow a write: `may(snapshot.standing, 'message delete', { channel, ownerId:
 * message.creatorId })`. It evaluates the server's own rules, which this package includes, without a request. The
 * server may still refuse what it allows.
 */
export const may = ask as (
  standing: Standing,
  operation: Operation,
  target?: Target,
  facts?: Facts,
) => Permission;
