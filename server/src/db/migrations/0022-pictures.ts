import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds pictures of servers and users (docs/decisions/0067). A picture is deleted when the URL that names it
 * changes, regardless of the cause.
 */
export default (t: ColumnTypes): string[] => {
  // Deletes only the owner's picture, so entering the URL of somebody else's picture cannot delete it.
  const ofServer = (column: string) => [
    `delete from picture where address = old.${column} and "serverId" = old.id`,
  ];
  return [
    `create table picture (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
      "serverId" ${t.idOrNull} references server (id) on delete cascade, "creatorId" ${t.id}, address ${t.text} unique,
      type ${t.text}, bytes ${t.time}, width integer not null, height integer not null, thumbhash text,
      previews ${t.json} not null)`,
    'create index picture_server on picture ("serverId") where "serverId" is not null',
    'create index picture_creator on picture ("creatorId", id)',
    ...t.afterDelete('picture', [
      `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
      'update "fileUse" set bytes = bytes - old.bytes where "serverId" = old."serverId"',
    ]),
    ...t.afterChange('server', 'icon', ofServer('icon')),
    ...t.afterChange('server', 'banner', ofServer('banner')),
    ...t.afterChange('user', 'image', [
      'delete from picture where address = old.image and "serverId" is null and "creatorId" = old.id',
    ]),
  ];
};
