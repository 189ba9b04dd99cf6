import type { ColumnTypes } from '../migrate.ts';
import { boundedMerges } from '../searchSchema.ts';

/**
 * On SQLite, the background job that fills the message index in chunks now also merges the index, and drops
 * the blocks of deleted channels.
 */
export default (t: ColumnTypes): string[] => boundedMerges(t.dialect);
