import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds tickets for sessions, in addition to API keys. Existing tickets are dropped, because they live for
 * only a minute.
 */
export default (t: ColumnTypes): string[] => [
  'drop table ticket',
  `create table ticket (id ${t.id} primary key, "createdAt" ${t.time}, digest ${t.text} unique,
    "secretId" ${t.idOrNull} references secret (id) on delete cascade,
    "sessionId" ${t.idOrNull} references session (id) on delete cascade, "keyDigest" ${t.text})`,
  'create index ticket_secret on ticket ("secretId")',
  'create index ticket_session on ticket ("sessionId")',
  'create index ticket_age on ticket ("createdAt")',
];
