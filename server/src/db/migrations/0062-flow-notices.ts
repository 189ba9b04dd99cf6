import type { ColumnTypes } from '../migrate.ts';

/** Adds the run of which the maker of a flow was last notified. */
export default (t: ColumnTypes): string[] => [
  `alter table "flowState" add column "failedRunId" ${t.idOrNull}`,
];

export const isBackwardCompatible = true;
