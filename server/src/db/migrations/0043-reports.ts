import type { ColumnTypes } from '../migrate.ts';

/** Adds reports of messages. */
export default (t: ColumnTypes): string[] => [
  `create table report (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "channelId" ${t.idOrNull}, "messageId" ${t.id},
    "authorId" ${t.id}, "creatorId" ${t.id}, reason ${t.text}, copy ${t.json}, state ${t.text},
    "closedAt" ${t.timeOrNull}, "closerId" ${t.idOrNull}, unique ("messageId", "creatorId"))`,
  'create index report_server on report ("serverId", id)',
  'create index report_state on report ("serverId", state, id)',
  'create index report_channel on report ("channelId")',
  'create index report_author on report ("authorId")',
  'create index report_creator on report ("creatorId", "serverId", state)',
  'create index report_age on report ("createdAt")',
];

export const isBackwardCompatible = true;
