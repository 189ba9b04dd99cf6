import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds imports through a running node, and timers without a server, because an import may create the server.
 */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `create table import (${row}, "creatorId" ${t.id}, source ${t.text}, "serverId" ${t.idOrNull}, "newServer" text,
      "ownerId" ${t.idOrNull}, name ${t.text}, bytes ${t.time}, received ${t.time}, sha256 text, state ${t.text},
      "isDryRun" ${t.bool}, rows ${t.time}, "totalRows" ${t.timeOrNull}, planned ${t.json}, report ${t.json}, failure text,
      log ${t.json} not null)`,
    'create index import_creator on import ("creatorId", id)',
    'create index import_age on import ("createdAt")',
    `create table "importPart" (${row}, "importId" ${t.id} references import (id) on delete cascade, "offset" ${t.time},
      bytes ${t.time}, unique ("importId", "offset"))`,
    ...t.afterDelete('importPart', [
      `insert into "fileRemoval" (id, "dueAt") values (old.id, 0) on conflict (id) do update set "dueAt" = 0`,
    ]),
    `create table "unfinishedImport" (id ${t.id} primary key, "serverId" ${t.id} references server (id) on delete cascade,
      messages ${t.time})`,
    'create index unfinished_import_server on "unfinishedImport" ("serverId")',
    ...(t.dialect === 'postgres'
      ? ['alter table timer alter column "serverId" drop not null']
      : [
          'alter table timer rename to "timerOfServer"',
          'drop index timer_due',
          'drop index timer_server',
          `create table timer (${row}, kind ${t.text}, "serverId" ${t.idOrNull} references server (id) on delete cascade,
            "dueAt" ${t.time}, attempts integer not null)`,
          'create index timer_due on timer ("dueAt", id, "serverId")',
          'create index timer_server on timer ("serverId")',
          `insert into timer (id, "createdAt", "updatedAt", kind, "serverId", "dueAt", attempts)
            select id, "createdAt", "updatedAt", kind, "serverId", "dueAt", attempts from "timerOfServer"`,
          'drop table "timerOfServer"',
        ]),
  ];
};

export const isBackwardCompatible = true;
