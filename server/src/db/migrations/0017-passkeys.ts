import type { ColumnTypes } from '../migrate.ts';

/** Adds passkeys, and apps' requests for a session. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `create table passkey (${row}, "userId" ${t.id}, credential ${t.text} unique, "publicKey" ${t.text}, counter ${t.time},
      transports ${t.json}, origin ${t.text}, name ${t.text}, "backupEligible" ${t.bool}, "backedUp" ${t.bool},
      "lastUsedAt" ${t.timeOrNull})`,
    'create index passkey_person on passkey ("userId", id)',

    `create table "usedChallenge" (id ${t.id} primary key, digest ${t.text} unique, "expiresAt" ${t.time})`,
    'create index used_challenge_expires on "usedChallenge" ("expiresAt")',

    `create table approval (${row}, digest ${t.text} unique, "userCodeDigest" text unique, client ${t.text}, device text,
      address ${t.text}, status ${t.text}, "userId" ${t.idOrNull}, "redirectUri" text, "codeChallenge" text,
      "expiresAt" ${t.time})`,
    'create index approval_person on approval ("userId")',
    'create index approval_address on approval (address)',
    'create index approval_expires on approval ("expiresAt")',

    `alter table session add column bearer ${t.bool} default false`,
  ];
};
