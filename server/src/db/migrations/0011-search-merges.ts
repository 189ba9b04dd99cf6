import type { ColumnTypes } from '../migrate.ts';
import { boundedMerges } from '../searchSchema.ts';

/** On SQLite, the message index is merged by the portions that fill it, and drops deleted channels. */
export default (t: ColumnTypes): string[] => boundedMerges(t.dialect);
