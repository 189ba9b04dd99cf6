import type { Row, Table } from './facts.ts';

/** An executed step of a run, with its last attempt. */
interface FlowStepRow extends Row {
  runId: string;
  /** The path of the step in the flow, such as `2.then.0`. */
  position: string;
  name: string;
  type: string;
  status: 'done' | 'failed' | 'waiting';
  attempts: number;
  input: unknown;
  output: unknown;
  error: string | null;
}

export const flowStep: Table<FlowStepRow> = {
  key: ['id'],
  json: ['input', 'output'],
  goesWith: { runId: { table: 'flowRun', by: 'foreignKey' } },
  neverTaken: { 'runId,position': 'a repeated attempt updates the row' },
};
