import type { ColumnTypes } from '../migrate.ts';
import { nameIndexSchema } from '../search/schema.ts';
import { withoutNameIndexes } from '../searchSchema.ts';

/**
 * Replaces the indexes of names with one that supports all scripts, on both engines. It is filled in the
 * background.
 */
export default (t: ColumnTypes): string[] => [...withoutNameIndexes(t.dialect), ...nameIndexSchema(t)];
