import type { Compilable, OperationNodeSource, RawBuilder } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { sql } from './kysely.ts';
import { prepare, type Statement } from './statements.ts';

type Columns = Readonly<Record<string, 'uuid' | 'bigint' | 'text'>>;

/**
 * A query about rows that the caller knows. They are one parameter, so that it is prepared once for any number of rows.
 * `build` gets them as a table, to be given an alias, and the engine.
 */
export function prepareKnown<K extends object, R>(
  columns: Columns,
  build: (known: RawBuilder<K>, engine: Pick<SqlDialect, 'name'>) => Compilable<R> & OperationNodeSource,
): (dialect: SqlDialect, rows: readonly K[]) => Statement<R> {
  const prepared = (name: SqlDialect['name'], table: typeof onSqlite) =>
    prepare<{ rows: string }, R>(({ rows }) => build(table<K>(columns, rows), { name }));
  const statements = { sqlite: prepared('sqlite', onSqlite), postgres: prepared('postgres', onPostgres) };
  return ({ name }, rows) => statements[name]({ rows: JSON.stringify(rows) });
}

function onSqlite<K>(columns: Columns, rows: string): RawBuilder<K> {
  const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${rows}))`;
}

function onPostgres<K>(columns: Columns, rows: string): RawBuilder<K> {
  const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`(select * from jsonb_to_recordset(cast(${rows} as jsonb)) as given(${sql.join(types)}))`;
}
