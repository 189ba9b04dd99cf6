import type { Records } from '../../api/records.ts';

/** An event of the log of a server. */
export type LogEvent = Records['Event'];
