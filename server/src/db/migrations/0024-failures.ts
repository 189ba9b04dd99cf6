import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the failures of queued items, with their backoff, and the time at which an email's last attempt
 * failed.
 */
export default (t: ColumnTypes): string[] => [
  `create table failure (item text not null primary key, queue ${t.text}, attempts integer not null, since ${t.time},
    "nextAt" ${t.time}, reason ${t.text})`,
  'create index failure_queue on failure (queue)',
  'create index failure_age on failure ("nextAt")',
  `alter table mail add column "failedAt" ${t.timeOrNull}`,
];
