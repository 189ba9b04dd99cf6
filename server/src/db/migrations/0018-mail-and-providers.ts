import type { ColumnTypes } from '../migrate.ts';

/** Adds the outbox for mail, and pending sign-ins with identity providers. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `create table mail (${row}, kind ${t.text}, "userId" ${t.idOrNull}, recipient ${t.text}, sealed text,
      attempts ${t.time}, "dueAt" ${t.timeOrNull}, "uselessAt" ${t.time}, "forgetAt" ${t.time})`,
    'create index mail_due on mail ("dueAt") where "dueAt" is not null',
    'create index mail_recipient on mail (recipient, kind, "createdAt")',
    'create index mail_person on mail ("userId", kind, "createdAt")',
    'create index mail_age on mail ("createdAt")',
    'create index mail_forget on mail ("forgetAt")',

    `create table "authenticationRequest" (${row}, provider ${t.text}, digest ${t.text} unique, browser ${t.text} unique,
      stage ${t.text}, sealed ${t.text}, "userId" ${t.idOrNull}, "sessionId" ${t.idOrNull}, "returnTo" ${t.text},
      "expiresAt" ${t.time})`,
    'create index authentication_request_person on "authenticationRequest" ("userId")',
    'create index authentication_request_expires on "authenticationRequest" ("expiresAt")',
  ];
};
