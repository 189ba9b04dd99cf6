import type { ColumnTypes } from '../migrate.ts';

/** Adds custom emoji for servers. The picture of an emoji is deleted with it. */
export default (t: ColumnTypes): string[] => [
  `create table emoji (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, name ${t.text}, url ${t.text}, "creatorId" ${t.id},
    unique ("serverId", name))`,
  'create index emoji_list on emoji ("serverId", id)',
  ...t.afterDelete('emoji', ['delete from picture where address = old.url and "serverId" = old."serverId"']),
];

export const isBackwardCompatible = true;
