import type { ColumnTypes } from '../migrate.ts';

/** Adds slow mode for channels, and time-outs for members. */
export default (t: ColumnTypes): string[] => [
  'alter table channel add column "slowSeconds" integer not null default 0',
  `alter table "serverMember" add column "timeoutUntil" ${t.timeOrNull}`,
  `alter table departure add column "timeoutUntil" ${t.timeOrNull}`,
  `create table pace (id ${t.id} primary key, "channelId" ${t.id}, "userId" ${t.id}, "sentAt" ${t.time},
    unique ("channelId", "userId"))`,
  'create index pace_age on pace ("sentAt")',
];

export const isBackwardCompatible = true;
