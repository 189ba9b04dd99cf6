import type { ColumnTypes } from '../migrate.ts';
import { laterSearchSchema } from '../searchSchema.ts';

/** On SQLite, an index of messages of which a search reads a bounded part. It is filled in the background. */
export default (t: ColumnTypes): string[] => laterSearchSchema(t.dialect);
