import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds read markers, notification levels and drafts, as well as people's presence and the nodes that serve
 * their event streams. On SQLite, the read markers in a channel are stored together, for sweeps. A person's
 * marker in a channel is found by its primary key.
 */
export default (t: ColumnTypes): string[] => [
  `create table "channelReading" ("channelId" ${t.id}, "userId" ${t.id}, "messageId" ${t.idOrNull}, "unreadAt" ${t.time},
    level text, "mutedUntil" ${t.timeOrNull}, primary key ("channelId", "userId"))${t.clustered}`,
  `create table "threadReading" ("threadId" ${t.id}, "userId" ${t.id}, "serverId" ${t.id}, "messageId" ${t.idOrNull},
    "unreadAt" ${t.time}, primary key ("threadId", "userId"))${t.clustered}`,
  'create index thread_reading_person on "threadReading" ("userId", "serverId", "threadId")',
  `create table "serverReading" ("serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.id},
    "messageId" ${t.idOrNull}, "readAt" ${t.time}, level text, "mutedUntil" ${t.timeOrNull},
    primary key ("serverId", "userId"))${t.clustered}`,
  `create index notification_mention on notification ("userId", "channelId", "messageId")
    where type = 'mention' and "readAt" is null`,

  `create table draft (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "userId" ${t.id},
    "serverId" ${t.id} references server (id) on delete cascade, "channelId" ${t.id}, "threadId" ${t.idOrNull},
    place ${t.id}, content ${t.text}, unique ("userId", place))`,
  'create index draft_list on draft ("userId", "serverId", id)',
  'create index draft_channel on draft ("channelId")',
  'create index draft_thread on draft ("threadId") where "threadId" is not null',

  `create table presence (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, status ${t.text},
    text text, "textUntil" ${t.timeOrNull})`,
  `create table "presenceNode" (id ${t.id} primary key, "aliveUntil" ${t.time})`,
  'create index presence_node_age on "presenceNode" ("aliveUntil")',
  `create table "nodePerson" ("presenceNodeId" ${t.id} references "presenceNode" (id) on delete cascade, "userId" ${t.id},
    primary key ("presenceNodeId", "userId"))${t.clustered}`,
  'create index node_person on "nodePerson" ("userId")',
];
