import type { ColumnType } from 'kysely';
import type { Numbered, Row, Table } from './facts.ts';

/** `stopped` means that the stream ended before its author completed it. */
type StreamState = 'open' | 'done' | 'stopped';

interface MessageRow extends Row, Numbered {
  serverId: string;
  type: 'person' | 'agent' | 'system';
  channelId: string;
  isThreadReply: boolean;
  creatorId: string;
  content: string;
  /**
   * Always false, because deleted messages are removed. The field is part of the specification's record
   * (2.2).
   */
  deleted: boolean;
  editedAt: number | null;
  threadId: string | null;
  replyToId: string | null;
  pinned: boolean;
  reactions: readonly { emoji: string; count: number }[];
  /**
   * The message's attachments as reads return them; null if it has none. They are not part of `record` (see
   * `db/messageRecord.ts`).
   */
  attachments: ColumnType<readonly object[] | null, readonly object[] | undefined, never>;
  /** Set for a streamed message; `open` until the message is complete. It is not part of `record` either. */
  stream: ColumnType<StreamState | null, StreamState | null | undefined, StreamState>;
  /** The message's blocks as reads return them; null if it has none. They are not part of `record` either. */
  blocks: ColumnType<
    readonly object[] | null,
    readonly object[] | undefined,
    readonly object[] | null | undefined
  >;
  /**
   * The record as JSON, which the engine generates from the other columns. Reads append the fields that are
   * not part of it.
   */
  record: ColumnType<string, never, never>;
}

export const message: Table<MessageRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isScanned: true } },
  json: ['attachments', 'blocks', 'reactions'],
  byEngine: ['ord', 'record'],
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    threadId: { table: 'thread', by: 'sweep' },
  },
  outlives: {
    serverId: 'it is deleted with its channel, which the sweep of the server deletes',
    replyToId: 'a reply is kept when the message it replies to is deleted',
  },
  insertsMerge: true,
};
