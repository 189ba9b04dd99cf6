import type { ColumnTypes } from '../migrate.ts';

/** Records the latest failed run that a flow's maker was notified about. */
export default (t: ColumnTypes): string[] => [
  `alter table "flowState" add column "failedRunId" ${t.idOrNull}`,
];

export const isBackwardCompatible = true;
