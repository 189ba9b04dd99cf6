import type { Table } from './facts.ts';

/** The event, or the answers to a question, that a run waits for. The timer of the run is the timeout. */
interface FlowWaitRow {
  /** The id of the run. */
  id: string;
  flowId: string;
  serverId: string;
  /** The type of the event; null for a question. */
  type: string | null;
  /** The condition on the event, with its templates filled in. */
  condition: unknown;
  /** Whether the events between its place and its insert were read for it. */
  isRead: boolean;
  /** The place in the log after which the event counts. Moves on with what was read. */
  cursor: string;
  seq: number;
  /** The event that came; null until then. */
  eventId: string | null;
  /** The message with the question. */
  messageId: string | null;
  /** The number of people who have to answer, and their answers so far. */
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
