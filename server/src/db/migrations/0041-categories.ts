import type { ColumnTypes } from '../migrate.ts';

/** Adds categories, which group channels in lists. */
export default (t: ColumnTypes): string[] => [
  `create table category (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, name ${t.text}, position integer not null, "creatorId" ${t.id})`,
  'create index category_list on category ("serverId", position, id)',
  `alter table channel add column "categoryId" ${t.idOrNull}`,
];

export const isBackwardCompatible = true;
