import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the minimum schema that nodes must support, which they poll. On SQLite, it is in the file's header.
 */
export default (t: ColumnTypes): string[] =>
  t.dialect === 'postgres'
    ? ['alter table authority add column "minSchema" integer not null default 34']
    : [];

export const isBackwardCompatible = true;
