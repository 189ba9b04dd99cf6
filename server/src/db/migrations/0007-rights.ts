import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds bans to servers, and records whether a moderator locked a thread (existing locked threads count as not
 * locked by one). Agents get a home server, which is the first one they joined, and a creator. The creator of
 * an existing agent is known only if its first key or webhook, which was created together with it, still
 * exists. An agent's membership ends when its creator's does.
 */
export default (t: ColumnTypes): string[] => {
  const creatorBy = (table: string): string =>
    `(select "creatorId" from ${table} where ${table}."userId" = "user".id
      and ${table}."createdAt" <= "user"."createdAt" + 1000 order by ${table}.id limit 1)`;
  return [
    `create table "serverBan" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
      "serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.id}, "creatorId" ${t.id}, reason text,
      unique ("serverId", "userId"))`,
    'create index server_ban_list on "serverBan" ("serverId", id)',

    `alter table thread add column "isLockedByModerator" ${t.bool} default false`,

    `alter table "user" add column "homeServerId" ${t.idOrNull}`,
    `alter table "user" add column "creatorId" ${t.idOrNull}`,
    `update "user" set "creatorId" = coalesce(${creatorBy('secret')}, ${creatorBy('webhook')}), "homeServerId" =
      (select "serverId" from "serverMember" where "serverMember"."userId" = "user".id order by "serverMember".id limit 1)
      where type = 'agent'`,
    `alter table "serverMember" add column "sponsorId" ${t.idOrNull}`,
    `update "serverMember" set "sponsorId" = (select maker.id from "user" join "serverMember" as maker
      on maker."userId" = "user"."creatorId" and maker."serverId" = "serverMember"."serverId"
      where "user".id = "serverMember"."userId")`,
    'create index server_member_sponsor on "serverMember" ("sponsorId") where "sponsorId" is not null',
  ];
};
