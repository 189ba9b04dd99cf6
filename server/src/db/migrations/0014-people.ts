import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds accounts, sessions, authenticator apps, recovery codes, one-time links, and an index of servers by
 * creator.
 */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `create table person (${row}, email text unique, "emailVerified" ${t.bool})`,

    `create table identity (${row}, "userId" ${t.id}, provider ${t.text}, account ${t.text}, password text,
      unique (provider, account))`,
    'create index identity_person on identity ("userId")',

    `create table session (${row}, "userId" ${t.id}, digest ${t.text} unique, "expiresAt" ${t.time},
      "provenAt" ${t.time}, "lastUsedAt" ${t.time}, device text)`,
    'create index session_person on session ("userId", id)',
    'create index session_expires on session ("expiresAt")',

    `create table link (${row}, purpose ${t.text}, "userId" ${t.idOrNull}, email text, digest ${t.text} unique,
      "expiresAt" ${t.time})`,
    'create index link_person on link ("userId")',
    'create index link_expires on link ("expiresAt")',

    'create index server_creator on server ("creatorId")',

    `create table "secondFactor" (${row}, sealed ${t.text}, "confirmedAt" ${t.timeOrNull}, "lastStep" ${t.time},
      failures ${t.time}, "lockedUntil" ${t.time})`,

    `create table "recoveryCode" (${row}, "userId" ${t.id}, digest ${t.text} unique)`,
    'create index recovery_code_person on "recoveryCode" ("userId")',
  ];
};
