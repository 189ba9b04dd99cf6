import type { ColumnTypes } from '../migrate.ts';

/** Adds the thread of an interaction. */
export default (t: ColumnTypes): string[] => [`alter table interaction add column "threadId" ${t.idOrNull}`];

export const isBackwardCompatible = true;
