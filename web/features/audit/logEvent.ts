import type { Records } from '../../api/records.ts';

export type LogEvent = Records['Event'];
