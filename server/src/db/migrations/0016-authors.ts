import type { ColumnTypes } from '../migrate.ts';
import { laterAuthors } from '../searchSchema.ts';

/** On SQLite, the index of messages by author is filled soon after they were sent, and no longer by the send itself. */
export default (t: ColumnTypes): string[] => laterAuthors(t.dialect);
