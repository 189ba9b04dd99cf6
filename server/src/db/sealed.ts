import { tableNames, tables } from './schema.ts';

/** A value encrypted with the secret key, and its location in the database. */
export interface SealedValue {
  table: string;
  column: string;
  id: string;
  sealed: string;
}

/** The columns with encrypted values. */
export const sealedColumns = tableNames.flatMap((table) => {
  const { sealed: column } = tables[table];
  return column ? [{ table, column }] : [];
});

const places = sealedColumns.map(
  ({ table, column }) => `select '${table}' as "table", '${column}' as "column", cast(id as text) as id,
    "${column}" as sealed from "${table}" where "${column}" is not null`,
);

/** SQL that selects an arbitrary encrypted value as a `SealedValue`. Returns no row if there is none. */
export const anySealed = `select * from (${places.join(' union all ')}) as places limit 1`;
