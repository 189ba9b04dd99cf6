import type { Row, Table } from './facts.ts';

/** Retention of interactions, in milliseconds. */
const INTERACTION_MS = 30 * 24 * 60 * 60_000;

/** A click on a block, a submitted form or a command, to which an agent responds. */
interface InteractionRow extends Row {
  serverId: string;
  channelId: string;
  /** The thread that contains the message, or in which the command was used. */
  threadId: string | null;
  /** The message that contains the block; null for a command. */
  messageId: string | null;
  /** The command; null for a block. */
  commandId: string | null;
  /** The agent that responds. */
  agentId: string;
  /** The person who acted. */
  userId: string;
  blockId: string | null;
  actionId: string | null;
  /** The value of the element, as JSON. */
  value: unknown;
  /** The options of a command, by name. */
  options: unknown;
  state: 'pending' | 'done' | 'failed' | 'expired';
  /** The time until which the agent can respond. */
  expiresAt: number;
  /** The answer that only the person sees. */
  ephemeral: string | null;
  /** The agent's reply. */
  replyId: string | null;
}

export const interaction: Table<InteractionRow> = {
  key: ['id'],
  json: ['value', 'options'],
  inExportOf: { userId: {}, agentId: { isOfServer: true } },
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: {
    serverId: 'it is deleted with its channel, which the sweep of the server deletes',
    commandId: 'its agent can still answer',
    threadId: 'its agent can still answer its person',
    replyId: 'the person still sees that it was answered',
  },
  keptFor: { ms: INTERACTION_MS, since: 'createdAt' },
};
