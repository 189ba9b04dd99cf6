import type { ColumnTypes } from '../migrate.ts';

/** Adds counters of wrong passwords and codes, by account or by unknown name. */
export default (t: ColumnTypes): string[] => [
  `create table guess (subject text not null primary key, "userId" ${t.idOrNull}, failures integer not null, since ${t.time},
    "blockedAt" ${t.timeOrNull}, "forgetAt" ${t.time})`,
  'create index guess_user on guess ("userId")',
  'create index guess_age on guess ("forgetAt")',
];
