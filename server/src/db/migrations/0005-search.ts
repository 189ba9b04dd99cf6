import type { ColumnTypes } from '../migrate.ts';
import { laterSearchSchema } from '../searchSchema.ts';

/**
 * On SQLite, adds a message index that is filled in the background and of which a search reads a bounded
 * part. Events may be stored without a large part of their data.
 */
export default (t: ColumnTypes): string[] => [
  ...laterSearchSchema(t.dialect),
  `alter table event add column "metaOf" ${t.idOrNull}`,
];
