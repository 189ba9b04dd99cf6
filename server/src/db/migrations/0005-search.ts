import type { ColumnTypes } from '../migrate.ts';
import { laterSearchSchema } from '../searchSchema.ts';

/**
 * On SQLite, an index of messages of which a search reads a bounded part. It is filled in the background. Events that are
 * stored without a large part of their data.
 */
export default (t: ColumnTypes): string[] => [
  ...laterSearchSchema(t.dialect),
  `alter table event add column "metaOf" ${t.idOrNull}`,
];
