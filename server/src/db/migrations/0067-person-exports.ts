import type { ColumnTypes } from '../migrate.ts';

/** Adds exports of a person's data. */
export default (t: ColumnTypes): string[] => [
  `create table "personExport" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "userId" ${t.id},
    state ${t.text}, messages ${t.time}, bytes ${t.timeOrNull}, failure text)`,
  'create index "personExport_user" on "personExport" ("userId", id)',
  'create index "personExport_age" on "personExport" ("createdAt")',
  ...t.afterDelete('personExport', [
    `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
  ]),
];

export const isBackwardCompatible = true;
