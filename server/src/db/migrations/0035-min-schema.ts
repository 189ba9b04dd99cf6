import type { ColumnTypes } from '../migrate.ts';

/**
 * Stores the minimum schema version that nodes must support. Nodes poll for changes to it. On SQLite, it is
 * in the file's header.
 */
export default (t: ColumnTypes): string[] =>
  t.dialect === 'postgres'
    ? ['alter table authority add column "minSchema" integer not null default 34']
    : [];

export const isBackwardCompatible = true;
