import type { ColumnTypes } from '../migrate.ts';

/**
 * Records the version of the last permission change per server and user. `named` counts the changes
 * recorded here; nodes that are not upgraded yet only raise the version.
 */
export default (t: ColumnTypes): string[] => [
  `create table "authorityChange" (id ${t.id} primary key, version ${t.time})`,
  'create index authority_change_version on "authorityChange" (version)',
  ...(t.dialect === 'postgres' ? ['alter table authority add column named bigint not null default 0'] : []),
];
