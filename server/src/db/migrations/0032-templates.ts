import type { ColumnTypes } from '../migrate.ts';

/** Adds the templates of incoming webhooks, and the last body that each has received. */
export default (t: ColumnTypes): string[] => [
  'alter table webhook add column template text',
  `create table "webhookBody" (id ${t.id} primary key references webhook (id) on delete cascade, "createdAt" ${t.time},
    "updatedAt" ${t.time}, sealed ${t.text})`,
  'create index webhook_body_age on "webhookBody" ("updatedAt")',
];
