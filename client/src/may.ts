import type { Flag, Operation } from './generated/permissions.ts';
import { may as ask } from './generated/rules.ts';

export type { Flag, Operation } from './generated/permissions.ts';

/** A person in a server: the `standing` of its snapshot. */
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

/** The fields of a channel that decide who sees it and who writes to it: any channel of a snapshot has them. */
export interface ChannelView {
  readonly private: boolean;
  readonly readonly: boolean;
  readonly roleIds: readonly string[];
}

/** The facts about the target of a write that rules look at. */
export interface Target {
  /** The person's server if left out; null for what belongs to a person, in no server. */
  serverId?: string | null;
  /** The channel of the target. */
  channel?: ChannelView;
  /** The channel to which the write moves the target. */
  nextChannel?: ChannelView;
  /** The user who made the target, or to whom it belongs: the `creatorId` of a message, the `userId` of a reaction. */
  ownerId?: string;
  /** Of a new membership: its user, and whether the server is public or the user has a live invite. */
  admission?: { userId: string; open: boolean };
}

/** The facts that further conditions look at. Those that are left out are not asked: then the server has the last word. */
export interface Facts {
  /** Of a message or a reaction in a thread: the `locked` of the thread. */
  lockedThread?: { isLocked: boolean };
  /** Of a role to be given, taken or changed: its flags. */
  holdsFlags?: { flags: readonly Flag[] };
  /** Of a role to be deleted. */
  lastingRole?: { isDefault: boolean; isCreatorRole: boolean };
  /** Of an API key that is minted or gets a new value: the user as whom it acts, and the `creatorId` of the server. */
  actsAs?: {
    user: { id: string; type: 'person' | 'agent'; platformAdmin: boolean };
    serverCreatorId: string;
  };
  /** Of a key or webhook to be ended: what it has beyond what every member has. */
  withinReach?: { flags: readonly Flag[]; seesMore: boolean; actsAsAnother: boolean };
  /** Of a change that could take the last administrator: whether one would be left. */
  administrable?: { hasAdministrator: boolean };
  /** Of a server to be handed over, or deleted: no facts; it asks for its creator. */
  handedOver?: object;
  deletable?: object;
  /** Of a membership to be ended: its user, and the `creatorId` of the server. */
  creatorStays?: { userId: string; serverCreatorId: string };
  /** Of a ban: whom it is about, and the `creatorId` of the server. */
  bannable?: { userId: string; serverCreatorId: string };
}

/** Whether something is allowed, and why not. */
export interface Permission {
  allowed: boolean;
  /** The rule, in the words of the table of permissions. */
  rule: string;
  /** The message of the refusal; empty if it is allowed. */
  message: string;
  /** The flags any one of which would help. */
  need: readonly Flag[];
}

/**
 * Whether the server would allow a write: `may(snapshot.standing, 'message delete', { channel, ownerId: message.creatorId })`. It asks
 * the server's own rules, which come with this package, and no server. What it allows may still be refused: the server decides.
 */
export const may = ask as (
  standing: Standing,
  operation: Operation,
  target?: Target,
  facts?: Facts,
) => Permission;
