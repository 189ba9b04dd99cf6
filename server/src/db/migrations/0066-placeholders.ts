import type { ColumnTypes } from '../migrate.ts';

/** Adds placeholders for users without an account, so that an account can claim them. */
export default (t: ColumnTypes): string[] => [
  `create table placeholder (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, email text,
    source ${t.text}, "accountId" ${t.idOrNull}, "claimedAt" ${t.timeOrNull}, "mergedAt" ${t.timeOrNull}, place ${t.json},
    "serverIds" ${t.json} not null)`,
  'create index placeholder_email on placeholder (email) where email is not null',
  'create index placeholder_account on placeholder ("accountId")',
];

export const isBackwardCompatible = true;
