import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the previous value of a rotated API key, which stays valid for a while, and the audit log of commands.
 */
export default (t: ColumnTypes): string[] => [
  'alter table secret add column "earlierDigest" text',
  'alter table secret add column "earlierPreview" text',
  `alter table secret add column "earlierUntil" ${t.timeOrNull}`,
  'create unique index secret_earlier on secret ("earlierDigest")',
  `create table audit (id ${t.id} primary key, at ${t.time}, command ${t.text}, account ${t.text},
    about ${t.json} not null)`,
  'create index audit_at on audit (at)',
];
