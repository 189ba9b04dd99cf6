import type { ColumnTypes } from '../migrate.ts';
import { laterSearchSchema } from '../searchSchema.ts';

/**
 * On SQLite, a message index of which a search reads a bounded part, filled in the background. Events stored
 * without a large part of their data.
 */
export default (t: ColumnTypes): string[] => [
  ...laterSearchSchema(t.dialect),
  `alter table event add column "metaOf" ${t.idOrNull}`,
];
