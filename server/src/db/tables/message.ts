import type { ColumnType } from 'kysely';
import type { Numbered, Row, Table } from './facts.ts';

interface MessageRow extends Row, Numbered {
  serverId: string;
  type: 'person' | 'agent' | 'system';
  channelId: string;
  isThreadReply: boolean;
  creatorId: string;
  content: string;
  /** Always false: a deleted message is gone. The record of the specification, 2.2, has the field. */
  deleted: boolean;
  editedAt: number | null;
  threadId: string | null;
  replyToId: string | null;
  pinned: boolean;
  reactions: readonly { emoji: string; count: number }[];
  /** What a read shows of the message, as JSON. The engine makes it of the other columns. */
  record: ColumnType<string, never, never>;
}

export const message: Table<MessageRow> = {
  key: ['id'],
  json: ['reactions'],
  byEngine: ['ord', 'record', 'words'],
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    threadId: { table: 'thread', by: 'sweep' },
  },
  outlives: { replyToId: 'an answer stays when the message that it answers is deleted' },
  insertsMerge: true,
};
