import type { ColumnTypes } from '../migrate.ts';

/** Adds tickets. A client can open one event stream with a ticket instead of an API key. */
export default (t: ColumnTypes): string[] => [
  `create table ticket (id ${t.id} primary key, "createdAt" ${t.time}, digest ${t.text} unique,
    "secretId" ${t.id} references secret (id) on delete cascade, "keyDigest" ${t.text})`,
  'create index ticket_secret on ticket ("secretId")',
  'create index ticket_age on ticket ("createdAt")',
];
