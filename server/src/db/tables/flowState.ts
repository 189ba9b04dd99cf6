import type { Table } from './facts.ts';

/** The progress of a flow. It is not stored in `flow`, because updates there invalidate cached principals. */
interface FlowStateRow {
  id: string;
  serverId: string;
  /** The cursor after the last event that started a run or was skipped. */
  cursor: string;
  /** The `seq` of that event, used by the query that finds flows with new events. */
  seq: number;
  /** The next time in the flow's schedule; null if the flow has none. */
  nextAt: number | null;
  /** When the flow's maker (`makerId`) was last notified of a failure; null for never. */
  notifiedAt: number | null;
  /** The failed run that the flow's maker (`makerId`) was last notified about. */
  failedRunId: string | null;
}

export const flowState: Table<FlowStateRow> = {
  key: ['id'],
  goesWith: { id: { table: 'flow', by: 'foreignKey' } },
  outlives: {
    serverId: 'it is deleted with its flow',
    failedRunId: 'runs are kept for a shorter time than flows',
  },
};
