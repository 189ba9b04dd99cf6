import type { ColumnTypes } from '../migrate.ts';

/** Adds the events and answers that flow runs wait for. */
export default (t: ColumnTypes): string[] => [
  `alter table flow add column "waitsForEvents" ${t.bool} default false`,
  `create index "flow_waits" on flow ("serverId") where "waitsForEvents" = true`,
  'alter table "flowRun" add column "waitFrom" text',
  'drop index "flowRun_created"',
  'create index "flowRun_over" on "flowRun" ("endedAt")',
  `create index "flowRun_running" on "flowRun" ("updatedAt") where status = 'running'`,
  `create table "flowWait" (id ${t.id} primary key references "flowRun" (id) on delete cascade, "flowId" ${t.id},
    "serverId" ${t.id}, type text, condition ${t.json}, "isRead" ${t.bool}, cursor ${t.text}, seq ${t.time}, "eventId" text,
    "messageId" ${t.idOrNull}, needed integer not null, answers ${t.json})`,
  `create index "flowWait_event" on "flowWait" ("flowId", type, "isRead", seq) where type is not null and "eventId" is null`,
  'create index "flowWait_message" on "flowWait" ("messageId") where "messageId" is not null',
];

export const isBackwardCompatible = true;
