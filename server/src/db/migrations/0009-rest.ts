import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds an index of events by age across all logs, and leases for jobs that only one process runs at a time
 * (docs/decisions/0035).
 */
export default (t: ColumnTypes): string[] => [
  'create index event_age on event (at, "logId", seq)',
  `create table lease (name ${t.text} primary key, owner text, "ownedUntil" ${t.time}, progress ${t.json})`,
];
