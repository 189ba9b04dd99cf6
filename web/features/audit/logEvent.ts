import type { Records } from '../../api/records.ts';

/** An event of a server's event log. */
export type LogEvent = Records['Event'];
