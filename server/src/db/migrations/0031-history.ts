import type { ColumnTypes } from '../migrate.ts';

/** Adds the history of accounts. */
export default (t: ColumnTypes): string[] => [
  `create table history (id ${t.id} primary key, "createdAt" ${t.time}, "updatedAt" ${t.time}, "userId" ${t.id},
    type ${t.text}, actor ${t.text}, method text, device text, address text, count integer not null)`,
  'create index history_user on history ("userId", id)',
  'create index history_age on history ("createdAt")',
];
