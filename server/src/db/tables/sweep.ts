import type { Table } from './facts.ts';

/** What is gone, while rows that go with it are left (docs/decisions/0020). */
interface SweepRow {
  /** Of the thing that is gone. */
  id: string;
  noun: 'channel' | 'message' | 'role' | 'thread';
  /** The server whose log tells of the rows; null where they have no events. */
  serverId: string | null;
  /** The channel whose reads must leave the rows out; null where none shows them. */
  channelId: string | null;
  /** Who removed it. */
  actorId: string | null;
  /** The process that sweeps, and until when no other does. */
  owner: string | null;
  ownedUntil: number;
}

export const sweep: Table<SweepRow> = {
  key: ['id'],
  outlives: { channelId: 'the sweep of a thread goes on after the end of its channel' },
};
