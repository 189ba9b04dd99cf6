import type { ActorKind } from './event.ts';
import type { Table } from './facts.ts';

/**
 * A tombstone. It marks a deleted row that still has dependents (docs/decisions/0020). For `user`, it marks a
 * changed profile that members have yet to be notified of (docs/decisions/0063), and for `groupMention` and
 * `keywordList`, a message about which members have yet to be notified. Nodes of versions without keywords
 * ignore `keywordList`.
 */
interface SweepRow {
  /** The id of the row. */
  id: string;
  noun:
    | 'channel'
    | 'groupMention'
    | 'keywordList'
    | 'message'
    | 'role'
    | 'server'
    | 'serverMember'
    | 'thread'
    | 'user';
  /** The server whose log gets the events of the deleted rows; null if they have none. */
  serverId: string | null;
  /** The channel whose reads must hide the dependents; null if no read shows them. */
  channelId: string | null;
  /** The user who deleted the row. They are the actor of the events. */
  actorId: string | null;
  /** Null in rows of earlier versions. */
  actor: ActorKind | null;
  /** The process that holds the sweep until `ownedUntil`; null if none. */
  owner: string | null;
  ownedUntil: number;
}

export const sweep: Table<SweepRow> = {
  key: ['id'],
  outlives: {
    serverId: 'the sweep of a server ends last',
    channelId: 'the sweep of a thread continues after its channel is deleted',
  },
};
