import type { ColumnTypes } from '../migrate.ts';

/**
 * The version at which permissions in a server, or of a user, have last changed. `named` counts the changes that this table
 * tells of; those of nodes that are yet to be upgraded only raise the version.
 */
export default (t: ColumnTypes): string[] => [
  `create table "authorityChange" (id ${t.id} primary key, version ${t.time})`,
  'create index authority_change_version on "authorityChange" (version)',
  ...(t.dialect === 'postgres' ? ['alter table authority add column named bigint not null default 0'] : []),
];
