import type { ColumnTypes } from '../migrate.ts';
import { boundedMerges } from '../searchSchema.ts';

/** On SQLite, the index of messages is merged by the portions that fill it, and forgets channels that are gone. */
export default (t: ColumnTypes): string[] => boundedMerges(t.dialect);
