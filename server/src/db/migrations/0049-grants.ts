import type { ColumnTypes } from '../migrate.ts';

/** Adds grants: permissions of apps to act for a person in one server, with some of their flags. */
export default (t: ColumnTypes): string[] => [
  `create table "grant" (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time},
    "userId" ${t.id}, "serverId" ${t.id} references server (id) on delete cascade,
    client ${t.text}, name ${t.text}, flags ${t.json} not null, resource ${t.text},
    digest ${t.text} unique, "tokenExpiresAt" ${t.time}, "earlierDigest" text unique, "earlierExpiresAt" ${t.timeOrNull},
    "familyDigest" ${t.text} unique, "refreshDigest" ${t.text}, "expiresAt" ${t.time}, "lastUsedAt" ${t.time})`,
  'create index grant_person on "grant" ("userId")',
  'create index grant_server on "grant" ("serverId")',
  'create index grant_expires on "grant" ("expiresAt")',
  `alter table approval add column "serverId" ${t.idOrNull}`,
  'alter table approval add column "clientName" text',
  `alter table approval add column flags ${t.json}`,
  'alter table approval add column resource text',
  `alter table approval add column "grantId" ${t.idOrNull}`,
];

export const isBackwardCompatible = true;
