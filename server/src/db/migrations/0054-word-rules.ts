import type { ColumnTypes } from '../migrate.ts';

/** Adds rules for words in messages, and the messages that they hold. */
export default (t: ColumnTypes): string[] => [
  `create table "wordRule" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "creatorId" ${t.id}, pattern ${t.text},
    action ${t.text}, version ${t.time})`,
  'create index "wordRule_server" on "wordRule" ("serverId", version)',
  'create index "wordRule_list" on "wordRule" ("serverId", id)',
  `create table "heldMessage" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "channelId" ${t.id}, "threadId" ${t.idOrNull},
    "replyToId" ${t.idOrNull}, "creatorId" ${t.id}, content ${t.text}, pattern ${t.text})`,
  'create index "heldMessage_server" on "heldMessage" ("serverId", id)',
  'create index "heldMessage_channel" on "heldMessage" ("channelId")',
  'create index "heldMessage_thread" on "heldMessage" ("threadId")',
  'create index "heldMessage_author" on "heldMessage" ("creatorId", "serverId")',
  'create index "heldMessage_age" on "heldMessage" ("createdAt")',
];

export const isBackwardCompatible = true;
