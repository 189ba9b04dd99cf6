import type { ColumnTypes } from '../migrate.ts';

/** Adds direct messages: channels that have members. `channel_list` includes `kind`, so lists skip them. */
export default (t: ColumnTypes): string[] => [
  `alter table channel add column kind ${t.text} default 'channel'`,
  `alter table channel add column "memberIds" ${t.json}`,
  'alter table channel add column image text',
  'drop index channel_list',
  'create index channel_list on channel ("serverId", kind, position, id)',
  `create table "channelMember" ("channelId" ${t.id} references channel (id) on delete cascade, "userId" ${t.id},
    "serverId" ${t.id} references server (id) on delete cascade, primary key ("channelId", "userId"))${t.clustered}`,
  'create index "channelMember_user" on "channelMember" ("userId", "serverId", "channelId")',
  'create index "channelMember_server" on "channelMember" ("serverId")',
  `create table block (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "userId" ${t.id},
    "blockedId" ${t.id}, unique ("userId", "blockedId"))`,
  `alter table "user" add column "directMessages" ${t.text} default 'anybody'`,
  `alter table server add column "directAgents" ${t.bool} default true`,
];

/** Earlier versions would show direct messages to admins. */
export const isBackwardCompatible = false;
