import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds runs of flows. Existing flows were written for other programs, so they are turned off and kept as
 * notes, which Palaver never runs.
 */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  const ofFlow = `"flowId" ${t.id} references flow (id) on delete cascade`;
  return [
    `alter table flow add column kind ${t.text} default 'note'`,
    'alter table flow add column "triggeredBy" text',
    `alter table flow add column "userId" ${t.idOrNull}`,
    `alter table flow add column "roleId" ${t.idOrNull}`,
    `alter table flow add column "makerId" ${t.idOrNull}`,
    'alter table flow add column "disabledReason" text',
    'alter table flow add column digest text',
    'update flow set enabled = false',
    'create unique index flow_digest on flow (digest) where digest is not null',
    'create index flow_user on flow ("userId") where "userId" is not null',
    `create index "flow_onEvent" on flow ("serverId") where "triggeredBy" = 'event'`,
    `create table "flowState" (id ${t.id} primary key references flow (id) on delete cascade, "serverId" ${t.id},
      cursor ${t.text}, seq ${t.time}, "nextAt" ${t.timeOrNull}, "notifiedAt" ${t.timeOrNull})`,
    `create table "flowRun" (${row}, ${ofFlow}, "serverId" ${t.id}, cause ${t.text}, "triggeredBy" ${t.text},
      "eventId" text, "channelId" ${t.idOrNull}, "actorId" ${t.idOrNull}, input ${t.json}, steps ${t.json},
      items ${t.json}, status ${t.text}, position text, attempt integer not null, executed integer not null,
      depth integer not null, "wakeAt" ${t.timeOrNull}, "isLate" ${t.bool}, error text, "endedAt" ${t.timeOrNull},
      unique ("flowId", cause))`,
    'create index "flowRun_flow" on "flowRun" ("flowId", id)',
    'create index "flowRun_ended" on "flowRun" ("flowId", "endedAt")',
    'create index "flowRun_server" on "flowRun" ("serverId", "createdAt")',
    `create index "flowRun_waiting" on "flowRun" ("serverId") where status = 'waiting'`,
    'create index "flowRun_created" on "flowRun" ("createdAt")',
    'create index "flowRun_actor" on "flowRun" ("actorId") where "actorId" is not null',
    `create table "flowStep" (${row}, "runId" ${t.id} references "flowRun" (id) on delete cascade,
      position ${t.text}, name ${t.text}, type ${t.text}, status ${t.text}, attempts integer not null,
      input ${t.json}, output ${t.json}, error text, unique ("runId", position))`,
  ];
};

/** Earlier versions cannot run the timers of flows. */
export const isBackwardCompatible = false;
