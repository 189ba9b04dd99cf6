import type { Table } from './facts.ts';

/**
 * The event, or the answers to a question, that a run waits for. The timer of the run acts as the timeout.
 */
interface FlowWaitRow {
  /** The id of the run. */
  id: string;
  flowId: string;
  serverId: string;
  /** The type of the event; null for a question. */
  type: string | null;
  /** The condition on the event, with its templates resolved. */
  condition: unknown;
  /**
   * Whether the wait was matched against the events that were logged after its position and before its
   * insert.
   */
  isRead: boolean;
  /** Only events after this log position can match. The position advances as events are read. */
  cursor: string;
  seq: number;
  /** The event that arrived; null until then. */
  eventId: string | null;
  /** The message with the question. */
  messageId: string | null;
  /** The number of answers required, and the answers so far. */
  needed: number;
  answers: unknown;
}

export const flowWait: Table<FlowWaitRow> = {
  key: ['id'],
  json: ['condition', 'answers'],
  goesWith: { id: { table: 'flowRun', by: 'foreignKey' } },
  outlives: {
    flowId: 'it is deleted with its run',
    serverId: 'it is deleted with its run',
    eventId: 'the run fails if the event is no longer kept',
    messageId: 'the run continues at the timeout',
  },
};
