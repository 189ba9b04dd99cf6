import type { ColumnTypes } from '../migrate.ts';

/** Adds the flow that a command starts. */
export default (t: ColumnTypes): string[] => [`alter table command add column "flowId" ${t.idOrNull}`];

export const isBackwardCompatible = true;
