import type { ColumnTypes } from '../migrate.ts';

/** Adds server exports requested through the API. */
export default (t: ColumnTypes): string[] => [
  `create table export (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "serverId" ${t.id} references server (id) on delete cascade, "channelId" ${t.idOrNull}, "creatorId" ${t.id},
    state ${t.text}, messages ${t.time}, bytes ${t.timeOrNull})`,
  'create index export_server on export ("serverId", id)',
  'create index export_creator on export ("creatorId", id)',
  'create index export_age on export ("createdAt")',
  ...t.afterDelete('export', [
    `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
  ]),
];

export const isBackwardCompatible = true;
