import type { Row, Table } from './facts.ts';

export const runStatuses = ['running', 'waiting', 'done', 'failed', 'cancelled'] as const;
type RunStatus = (typeof runStatuses)[number];

/** One run of a flow. Its timer has the same id while the run is running or waiting. */
interface FlowRunRow extends Row {
  flowId: string;
  serverId: string;
  /** The event, scheduled time or request that started the run. It is unique in the flow. */
  cause: string;
  triggeredBy: string;
  /**
   * The event that started the run. It is read again when needed, so that deleted content is not kept here.
   */
  eventId: string | null;
  /** The channel of the event. */
  channelId: string | null;
  /** The user who caused the event, or started the run. */
  actorId: string | null;
  /** The input of a run that was started manually, by a hook or by a command. */
  input: unknown;
  /** The flow's steps when the run started; null once the run cannot be continued. */
  steps: unknown;
  /** The list that the current `each` step iterates over. */
  items: unknown;
  status: RunStatus;
  /** The next step, such as `2.then.0`; null at the end. */
  position: string | null;
  /** The log position from which the next step waits for an event. */
  waitFrom: string | null;
  /** Failed attempts of the next step. */
  attempt: number;
  /** Steps executed so far. */
  executed: number;
  /** The number of flows in the chain that triggered the run. */
  depth: number;
  /** When a waiting run continues. */
  wakeAt: number | null;
  /** Whether a schedule started the run late, for example after downtime. */
  isLate: boolean;
  error: string | null;
  endedAt: number | null;
}

export const flowRun: Table<FlowRunRow> = {
  key: ['id'],
  json: ['input', 'steps', 'items'],
  inExportOf: { actorId: { isOfServer: true } },
  goesWith: { flowId: { table: 'flow', by: 'foreignKey' } },
  outlives: {
    serverId: 'it is deleted with its flow',
    eventId: 'events and runs have different retention times',
    channelId: 'the log of runs also covers deleted channels',
  },
  // Retention starts when the run ends, because a run may wait for 30 days before that.
  keptFor: { ms: 30 * 24 * 60 * 60_000, since: 'endedAt' },
  neverTaken: { 'flowId,cause': 'the cause is looked up before the run is added' },
};
