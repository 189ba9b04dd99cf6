import type { ColumnTypes } from '../migrate.ts';

/** Finds events by age over all logs, and keeps the duties that one process at a time has (docs/decisions/0035). */
export default (t: ColumnTypes): string[] => [
  'create index event_age on event (at, "logId", seq)',
  `create table lease (name ${t.text} primary key, owner text, "ownedUntil" ${t.time}, progress ${t.json})`,
];
