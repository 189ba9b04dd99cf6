import { ofServer, type Row, type Table } from './facts.ts';

/**
 * The text so far of a message that is being streamed. It has the message's id. The message itself is empty
 * until its stream ends, so that search, notifications and events process its text only once.
 */
interface MessageStreamRow extends Row {
  serverId: string;
  /**
   * The process that holds the latest text in memory. Only this process may change the row. Empty at first.
   * See `OpenStreams`.
   */
  holder: string;
  content: string;
}

export const messageStream: Table<MessageStreamRow> = {
  key: ['id'],
  goesWith: ofServer,
};
