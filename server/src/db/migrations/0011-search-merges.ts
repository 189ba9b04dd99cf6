import type { ColumnTypes } from '../migrate.ts';
import { boundedMerges } from '../searchSchema.ts';

/**
 * On SQLite, the chunks that fill the message index now also merge it, and blocks of deleted channels are
 * dropped.
 */
export default (t: ColumnTypes): string[] => boundedMerges(t.dialect);
