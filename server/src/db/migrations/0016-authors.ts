import type { ColumnTypes } from '../migrate.ts';
import { laterAuthors } from '../searchSchema.ts';

/** On SQLite, the author index of messages is filled asynchronously instead of by the send itself. */
export default (t: ColumnTypes): string[] => laterAuthors(t.dialect);
