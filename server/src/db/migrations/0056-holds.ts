import type { ColumnTypes } from '../migrate.ts';

/** Adds legal holds, and tables for the messages and files that they keep after a deletion. */
export default (t: ColumnTypes): string[] => [
  `create table hold (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.idOrNull}, "channelId" ${t.idOrNull},
    reason ${t.text}, "creatorId" ${t.idOrNull}, until ${t.timeOrNull}, "endedAt" ${t.timeOrNull},
    "releasedAt" ${t.timeOrNull})`,
  'create index hold_server on hold ("serverId")',
  `create table "keptMessage" (id ${t.id} primary key, "serverId" ${t.id} references server (id) on delete cascade,
    "channelId" ${t.id}, "threadId" ${t.idOrNull}, "creatorId" ${t.id}, "isDirect" ${t.bool}, "createdAt" ${t.time},
    "editedAt" ${t.timeOrNull}, content ${t.text}, versions ${t.json}, files ${t.json}, "deletedAt" ${t.time},
    "deleterId" ${t.idOrNull})`,
  'create index "keptMessage_server" on "keptMessage" ("serverId", id)',
  'create index "keptMessage_author" on "keptMessage" ("creatorId")',
  `create table "keptFile" (id ${t.id} primary key,
    "keptMessageId" ${t.id} references "keptMessage" (id) on delete cascade)`,
  'create index "keptFile_message" on "keptFile" ("keptMessageId")',
];

/** Earlier versions would delete content that is under a hold. */
export const isBackwardCompatible = false;
