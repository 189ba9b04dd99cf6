import type { ColumnTypes } from '../migrate.ts';

/** Adds Web Push and email digests: the server's key, devices, queued pushes, and people who get digests. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  return [
    `alter table person add column "pushContent" ${t.text} default 'full'`,
    'alter table person add column language text',
    `create table "pushKey" (${row}, "publicKey" ${t.text}, sealed ${t.text})`,
    `create table "pushSubscription" (${row}, "userId" ${t.id},
      "sessionId" ${t.id} references session (id) on delete cascade, digest ${t.text} unique, sealed ${t.text},
      language ${t.text}, "maySilence" ${t.bool}, silenced ${t.time})`,
    'create index push_subscription_person on "pushSubscription" ("userId")',
    'create index push_subscription_session on "pushSubscription" ("sessionId")',
    `create table push ("pushSubscriptionId" ${t.id} references "pushSubscription" (id) on delete cascade, "channelId" ${t.id},
      "serverId" ${t.id}, "messageId" ${t.id}, "createdAt" ${t.time}, "isShown" ${t.bool}, attempts ${t.time},
      "dueAt" ${t.time}, primary key ("pushSubscriptionId", "channelId"))${t.clustered}`,
    'create index push_due on push ("dueAt")',
    `create table "emailDigest" (${row}, "dueAt" ${t.timeOrNull}, "sentAt" ${t.timeOrNull}, "waitMs" ${t.time},
      "notificationId" ${t.id})`,
    'create index email_digest_due on "emailDigest" ("dueAt") where "dueAt" is not null',
  ];
};

export const isBackwardCompatible = true;
