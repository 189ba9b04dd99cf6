import type { ColumnTypes } from '../migrate.ts';
import { laterSearchSchema } from '../searchSchema.ts';

/**
 * On SQLite, adds a message index that is filled in the background. A search reads a bounded part of it.
 * Large app metadata can be omitted from stored events.
 */
export default (t: ColumnTypes): string[] => [
  ...laterSearchSchema(t.dialect),
  `alter table event add column "metaOf" ${t.idOrNull}`,
];
