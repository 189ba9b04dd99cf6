import type { Flag, Operation } from './generated/permissions.ts';
import { may as ask } from './generated/rules.ts';

export type { Flag, Operation } from './generated/permissions.ts';

/** A person's standing in a server, from the snapshot's `standing`. */
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

/**
 * The fields of a channel that decide who can see it and write to it. Every channel in a snapshot has them.
 */
export interface ChannelView {
  readonly private: boolean;
  readonly readonly: boolean;
  readonly roleIds: readonly string[];
}

/** The facts about a write's target that rules check. */
export interface Target {
  /**
   * The server of the target. Defaults to the person's server; null for a person's own records, which belong
   * to no server.
   */
  serverId?: string | null;
  /** The channel of the target. */
  channel?: ChannelView;
  /** The channel to which the write moves the target. */
  nextChannel?: ChannelView;
  /** The target's creator or owner: the `creatorId` of a message, the `userId` of a reaction. */
  ownerId?: string;
  /** For a file: whether the person takes part in a direct message on the server. */
  isInConversation?: boolean;
  /** For a new membership: its user, and whether the server is public or the user has a valid invite. */
  admission?: { userId: string; open: boolean };
}

/** The facts for additional conditions. Conditions without facts are skipped and left to the server. */
export interface Facts {
  /** For a message or reaction in a thread: whether the thread is locked. */
  lockedThread?: { isLocked: boolean };
  /** For a write that grants or removes flags, such as assigning a role or creating a key: the flags. */
  holdsFlags?: { flags: readonly Flag[] };
  /** For a role to be deleted: whether it is the default role or the creator's role. */
  lastingRole?: { isDefault: boolean; isCreatorRole: boolean };
  /** For an API key to be created or rotated: the user it acts as, and the server's `creatorId`. */
  actsAs?: {
    user: { id: string; type: 'person' | 'agent'; platformAdmin: boolean };
    serverCreatorId: string;
  };
  /**
   * For a key or webhook to be revoked: the flags that it has and ordinary members lack, whether it can see private
   * channels that the person cannot, and whether the person may not create keys for the user that it acts as.
   */
  withinReach?: { flags: readonly Flag[]; seesMore: boolean; actsAsAnother: boolean };
  /** For a change that could remove the last admin: whether an admin would remain. */
  administrable?: { hasAdministrator: boolean };
  /**
   * For a server to be transferred or deleted. The condition needs no facts, because only the server's
   * creator may do this.
   */
  handedOver?: object;
  deletable?: object;
  /** For a membership that would end: its user, and the server's `creatorId`. */
  creatorStays?: { userId: string; serverCreatorId: string };
  /** For a ban: the user to be banned, and the server's `creatorId`. */
  bannable?: { userId: string; serverCreatorId: string };
  /** For a time-out: the member, and whether they are a moderator or the server's creator. */
  timesOut?: { userId: string; isModerator: boolean };
  /** For a change to the retention period. The condition needs no facts. */
  setsRetention?: object;
}

/** Whether an operation is allowed, and if not, why. */
export interface Permission {
  allowed: boolean;
  /** The rule, as worded in the permissions table. */
  rule: string;
  /** The error message; empty if the operation is allowed. */
  message: string;
  /** Flags, any one of which would suffice. */
  need: readonly Flag[];
}

/**
 * Checks whether the server would allow a write: `may(snapshot.standing, 'message delete', { channel,
 * ownerId: message.creatorId })`. It evaluates the server's own rules, which this package includes, without a
 * request. The server may still reject an operation that this allows.
 */
export const may = ask as (
  standing: Standing,
  operation: Operation,
  target?: Target,
  facts?: Facts,
) => Permission;
