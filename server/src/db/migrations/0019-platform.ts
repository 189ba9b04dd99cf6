import type { ColumnTypes } from '../migrate.ts';
import { memberIndexFollowsUser } from '../sqlite/search.ts';

/**
 * Adds suspension of users together with their agents, deletion of servers, platform settings, closing of
 * accounts, signed-in people as actors in the audit log, and indexes for the platform's lists.
 */
export default (t: ColumnTypes): string[] => {
  // The columns are sorted in byte order, as `startsWith` in `db/search.ts` requires.
  const bytes = t.dialect === 'postgres' ? ' collate "C"' : '';
  return [
    `alter table "user" add column "suspendedAt" ${t.timeOrNull}`,
    `alter table "user" add column "suspendedWithId" ${t.idOrNull}`,
    'create index user_creator on "user" ("creatorId", id) where "creatorId" is not null',
    'create index user_suspended on "user" (id) where "suspendedAt" is not null',
    'create index user_suspended_with on "user" ("suspendedWithId") where "suspendedWithId" is not null',
    'create index user_platform_admin on "user" (id) where "platformAdmin" = true',
    `create index user_username_beginning on "user" ((username${bytes}))`,
    `create index user_name_beginning on "user" ((lower(name)${bytes}), id)`,

    `alter table server add column "deletedAt" ${t.timeOrNull}`,
    'create index attachment_unsent_server on attachment ("serverId") where "messageId" is null',
    `create index server_name_beginning on server ((lower(name)${bytes}), id)`,

    `alter table person add column "renamedAt" ${t.timeOrNull}`,
    `create table closing (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "withMessages" ${t.bool})`,

    'create index webhook_disabled on webhook (id) where "disabledReason" is not null',
    'create index app_submitted on app (id) where "submittedAt" is not null',

    `create table platform (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, settings ${t.json} not null)`,

    `alter table audit add column "actorId" ${t.idOrNull}`,
    ...(t.dialect === 'sqlite' ? memberIndexFollowsUser() : []),
  ];
};
