import { type Compilable, type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from './contract.ts';
import { prepare, type Statement } from './statements.ts';

type Columns = Readonly<Record<string, 'uuid' | 'bigint' | 'text'>>;
type Parameters = Record<string, string>;

/**
 * Passes rows to a statement as one or a few parameters, so that one prepared statement fits any number of
 * rows.
 */
interface Form {
  parametersOf(names: readonly string[], rows: readonly object[]): Parameters;
  table<K>(columns: Columns, parameters: Parameters): RawBuilder<K>;
}

const ID_CHARACTERS = 36;

/**
 * Prepares a query that joins rows the caller already has. `build` receives them as a table, which needs an
 * alias, along with the engine's dialect.
 */
export function prepareKnown<K extends object, R>(
  columns: Columns,
  build: (known: RawBuilder<K>, engine: Pick<SqlDialect, 'name'>) => Compilable<R> & OperationNodeSource,
): (dialect: SqlDialect, rows: readonly K[]) => Statement<R> {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  const forms = {
    sqlite: types.every((type) => type === 'uuid') ? idsOnSqlite : onSqlite,
    postgres: types.includes('text') ? onPostgres : arraysOnPostgres,
  };
  const prepared = (name: SqlDialect['name']) =>
    prepare<Parameters, R>((parameters) => build(forms[name].table<K>(columns, parameters), { name }));
  const statements = { sqlite: prepared('sqlite'), postgres: prepared('postgres') };
  return ({ name }, rows) => statements[name](forms[name].parametersOf(names, rows));
}

const onSqlite: Form = {
  parametersOf: (_names, rows) => ({ rows: JSON.stringify(rows) }),
  table(columns, { rows }) {
    const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`);
    return sql`(select ${sql.join(values)} from json_each(${rows}))`;
  },
};

/**
 * The form for rows that consist only of ids. Each row is passed as one text, because SQLite would parse
 * objects again for each column.
 */
const idsOnSqlite: Form = {
  parametersOf: (names, rows) => ({
    rows: JSON.stringify(rows.map((row) => names.map((name) => valueIn(row, name)).join(''))),
  }),
  table(columns, { rows }) {
    const values = Object.keys(columns).map(
      (name, place) =>
        sql`substr(value, ${sql.lit(place * ID_CHARACTERS + 1)}, ${sql.lit(ID_CHARACTERS)}) as ${sql.ref(name)}`,
    );
    return sql`(select ${sql.join(values)} from json_each(${rows}))`;
  },
};

const onPostgres: Form = {
  parametersOf: (_names, rows) => ({ rows: JSON.stringify(rows) }),
  table(columns, { rows }) {
    const types = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`);
    return sql`(select * from jsonb_to_recordset(cast(${rows} as jsonb)) as given(${sql.join(types)}))`;
  },
};

/**
 * The form for rows of ids and numbers. Each column is passed as one array, because arrays are half the size
 * of objects and faster to parse.
 */
const arraysOnPostgres: Form = {
  parametersOf: (names, rows) =>
    Object.fromEntries(names.map((name) => [name, `{${rows.map((row) => valueIn(row, name)).join()}}`])),
  table(columns, arrays) {
    const given = Object.entries(columns).map(
      ([name, type]) => sql`cast(${arrays[name]} as ${sql.raw(type)}[])`,
    );
    const names = Object.keys(columns).map((name) => sql.ref(name));
    return sql`(select * from unnest(${sql.join(given)}) as given(${sql.join(names)}))`;
  },
};

const valueIn = (row: object, name: string) => (row as Record<string, string | number>)[name];
