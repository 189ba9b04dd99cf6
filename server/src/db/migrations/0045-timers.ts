import type { ColumnTypes } from '../migrate.ts';

/** Adds timers, scheduled messages and saved messages. */
export default (t: ColumnTypes): string[] => {
  const row = `id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}`;
  const server = `"serverId" ${t.id} references server (id) on delete cascade`;
  return [
    `create table timer (${row}, kind ${t.text}, ${server}, "dueAt" ${t.time}, attempts integer not null)`,
    'create index timer_due on timer ("dueAt", id, "serverId")',
    'create index timer_server on timer ("serverId")',
    `create table "scheduledMessage" (${row}, "userId" ${t.id}, ${server}, "channelId" ${t.id},
      "threadId" ${t.idOrNull}, "replyToId" ${t.idOrNull}, content ${t.text}, "dueAt" ${t.time},
      "failedAt" ${t.timeOrNull}, failure text)`,
    'create index "scheduledMessage_user" on "scheduledMessage" ("userId", id)',
    'create index "scheduledMessage_server" on "scheduledMessage" ("serverId")',
    `create table saved (${row}, "userId" ${t.id}, ${server}, "channelId" ${t.id}, "messageId" ${t.id},
      "remindAt" ${t.timeOrNull}, unique ("userId", "messageId"))`,
    'create index saved_user on saved ("userId", id)',
    'create index saved_server on saved ("serverId")',
  ];
};

export const isBackwardCompatible = true;
