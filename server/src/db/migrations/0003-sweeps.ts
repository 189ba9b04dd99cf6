import type { ColumnTypes } from '../migrate.ts';

/** Sweeps dependents after the deletion of any row that has many, not just channels (docs/decisions/0020). */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    'alter table sweep rename to "sweepOfChannels"',
    `create table sweep (id ${t.id} primary key, noun ${t.text}, "serverId" ${t.idOrNull}, "channelId" ${t.idOrNull},
      "actorId" ${t.idOrNull}, owner text, "ownedUntil" ${t.time})`,
    'create index sweep_channel on sweep ("channelId")',
    `insert into sweep (id, noun, "ownedUntil") select "channelId", 'channel', 0 from "sweepOfChannels"`,
    'drop table "sweepOfChannels"',
    // This is a column of `channel`, because every read in a channel loads that row anyway.
    `alter table channel add column "isBeingSwept" ${t.bool} default false`,

    // A role may have many members. A sweep removes them, so the foreign key must not delete them all at
    // once.
    ...(t.dialect === 'postgres'
      ? ['alter table "userRole" drop constraint "userRole_roleId_fkey"']
      : [
          'alter table "userRole" rename to "userRoleWithKey"',
          'drop index user_role_server',
          'drop index user_role_role',
          `create table "userRole" (${row}, "serverId" ${t.id} references server (id) on delete cascade, "userId" ${t.id},
            "roleId" ${t.id}, unique ("userId", "roleId"))`,
          'create index user_role_server on "userRole" ("serverId", "userId")',
          'create index user_role_role on "userRole" ("roleId")',
          `insert into "userRole" (id, "createdAt", "updatedAt", "serverId", "userId", "roleId")
            select id, "createdAt", "updatedAt", "serverId", "userId", "roleId" from "userRoleWithKey"`,
          'drop table "userRoleWithKey"',
          // By default, FTS5 merges the index once a tenth of it is deleted, which adds half a second to
          // that commit.
          `insert into message_search (message_search, rank) values ('deletemerge', 0)`,
        ]),

    'create index indicator_thread on indicator ("threadId") where "threadId" is not null',
    // Earlier sweeps of channels left these rows behind.
    'delete from "threadFollower" where "threadId" not in (select id from thread)',
  ];
};
