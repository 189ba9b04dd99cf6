import { ofServer, type Row, type Table } from './facts.ts';

/** Retention of held messages that nobody approved, in milliseconds. */
export const HELD_MS = 14 * 24 * 60 * 60_000;

/** A message that a word rule holds until a moderator approves it. */
interface HeldMessageRow extends Row {
  serverId: string;
  channelId: string;
  threadId: string | null;
  replyToId: string | null;
  /** The author. */
  creatorId: string;
  /** The role of the key, webhook or flow that sent the message; null for a person's session or app. */
  roleId: string | null;
  content: string;
  /** The pattern that matched, as it was when the message was held. */
  pattern: string;
}

export const heldMessage: Table<HeldMessageRow> = {
  key: ['id'],
  inExportOf: { creatorId: {} },
  goesWith: {
    ...ofServer,
    channelId: { table: 'channel', by: 'sweep' },
    threadId: { table: 'thread', by: 'sweep' },
  },
  outlives: {
    replyToId: 'approving it then returns NOT_FOUND, and a moderator rejects it',
    roleId: 'approving it then returns NOT_FOUND, and a moderator rejects it',
  },
  keptFor: { ms: HELD_MS, since: 'createdAt' },
};
