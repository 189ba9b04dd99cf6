import type { ColumnTypes } from '../migrate.ts';

/** Adds message retention, per server and per channel. */
export default (t: ColumnTypes): string[] => [
  'alter table server add column "retentionDays" integer',
  'alter table channel add column "retentionDays" integer',
  `create table retention (id ${t.id} primary key, "serverId" ${t.id} references server (id) on delete cascade,
    "dueAt" ${t.time})`,
  'create index retention_due on retention ("dueAt")',
  'create index retention_server on retention ("serverId")',
];

export const isBackwardCompatible = true;
