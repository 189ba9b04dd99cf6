import type { ColumnTypes } from '../migrate.ts';

/** The session that an approval's code was exchanged for: using the code again ends that session. */
export default (t: ColumnTypes): string[] => [`alter table approval add column "sessionId" ${t.idOrNull}`];
