import type { ColumnTypes } from '../migrate.ts';

/** Adds the session that an approval's code was exchanged for. Using the code again revokes that session. */
export default (t: ColumnTypes): string[] => [`alter table approval add column "sessionId" ${t.idOrNull}`];
