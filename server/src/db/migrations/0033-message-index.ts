import type { ColumnTypes } from '../migrate.ts';
import { messageIndexSchema } from '../search/schema.ts';
import { withoutEarlierIndex } from '../searchSchema.ts';

/**
 * Replaces the message index with one that supports all scripts, on both engines. It is filled in the
 * background.
 */
export default (t: ColumnTypes): string[] => [...withoutEarlierIndex(t.dialect), ...messageIndexSchema(t)];
