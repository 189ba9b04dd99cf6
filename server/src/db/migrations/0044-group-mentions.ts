import type { ColumnTypes } from '../migrate.ts';

/** Adds roles that can be mentioned, and mentions of many members that are still being delivered. */
export default (t: ColumnTypes): string[] => [
  `alter table role add column mentionable ${t.bool} default false`,
  `create table "groupMention" (id ${t.id} primary key, "serverId" ${t.id} references server (id) on delete cascade,
    "messageId" ${t.id}, "group" ${t.text}, "roleId" ${t.idOrNull}, "upTo" ${t.text})`,
  'create index "groupMention_server" on "groupMention" ("serverId")',
  'drop index user_role_role',
  'create index user_role_role on "userRole" ("roleId", "userId")',
];

export const isBackwardCompatible = true;
