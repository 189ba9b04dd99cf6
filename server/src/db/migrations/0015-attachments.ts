import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds attachments to messages, the list of files to delete, and the bytes used by each server
 * (docs/decisions/0054).
 */
export default (t: ColumnTypes): string[] => [
  `create table attachment (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "serverId" ${t.id},
    "channelId" ${t.idOrNull}, "messageId" ${t.idOrNull}, "creatorId" ${t.id}, name ${t.text}, type ${t.text},
    bytes ${t.time}, width integer, height integer, thumbhash text, previews ${t.json} not null)`,
  'create index attachment_channel on attachment ("channelId") where "channelId" is not null',
  'create index attachment_message on attachment ("messageId", id) where "messageId" is not null',
  'create index attachment_creator on attachment ("creatorId", id)',
  'create index attachment_unsent on attachment ("createdAt", id) where "messageId" is null',
  `create table "fileRemoval" (id ${t.id} primary key, "dueAt" ${t.time})`,
  'create index file_removal_due on "fileRemoval" ("dueAt")',
  `create table "fileUse" ("serverId" ${t.id} primary key, bytes ${t.time})`,
  ...t.afterDelete('attachment', [
    `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
    'update "fileUse" set bytes = bytes - old.bytes where "serverId" = old."serverId"',
  ]),
  `alter table message add column attachments ${t.json}`,
];
