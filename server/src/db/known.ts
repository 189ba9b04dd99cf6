import type { Compilable, OperationNodeSource, RawBuilder } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { sql } from './kysely.ts';
import { prepare, type Statement } from './statements.ts';

type Columns = Readonly<Record<string, 'uuid' | 'bigint' | 'text'>>;
type Table = <K>(columns: Columns, rows: string) => RawBuilder<K>;

/** The length of an id. */
const ID_CHARACTERS = 36;

/**
 * A query about rows that the caller knows. They are one parameter, so that it is prepared once for any number of rows.
 * `build` gets them as a table, to be given an alias, and the engine.
 */
export function prepareKnown<K extends object, R>(
  columns: Columns,
  build: (known: RawBuilder<K>, engine: Pick<SqlDialect, 'name'>) => Compilable<R> & OperationNodeSource,
): (dialect: SqlDialect, rows: readonly K[]) => Statement<R> {
  const prepared = (name: SqlDialect['name'], table: Table) =>
    prepare<{ rows: string }, R>(({ rows }) => build(table<K>(columns, rows), { name }));
  const ofIds = Object.values(columns).every((type) => type === 'uuid');
  const statements = {
    sqlite: prepared('sqlite', ofIds ? idsOnSqlite : onSqlite),
    postgres: prepared('postgres', onPostgres),
  };
  return ({ name }, rows) => {
    const given = ofIds && name === 'sqlite' ? rows.map((row) => idsOf(columns, row)) : rows;
    return statements[name]({ rows: JSON.stringify(given) });
  };
}

function onSqlite<K>(columns: Columns, rows: string): RawBuilder<K> {
  const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
  return sql`(select ${sql.join(values)} from json_each(${rows}))`;
}

/** Rows of ids alone, each as one text: SQLite would parse an object anew for each of its columns. */
function idsOnSqlite<K>(columns: Columns, rows: string): RawBuilder<K> {
  const values = Object.keys(columns).map(
    (name, place) =>
      sql`substr(value, ${sql.lit(place * ID_CHARACTERS + 1)}, ${sql.lit(ID_CHARACTERS)}) as ${sql.ref(name)}`,
  );
  return sql`(select ${sql.join(values)} from json_each(${rows}))`;
}

/** The ids of a row, one after the other. */
const idsOf = (columns: Columns, row: object): string =>
  Object.keys(columns)
    .map((name) => (row as Record<string, string>)[name])
    .join('');

function onPostgres<K>(columns: Columns, rows: string): RawBuilder<K> {
  const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
  return sql`(select * from jsonb_to_recordset(cast(${rows} as jsonb)) as given(${sql.join(types)}))`;
}
