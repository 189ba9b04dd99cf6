/** How each engine spells the kinds of column that the migrations use. */
export interface ColumnTypes {
  dialect: 'sqlite' | 'postgres';
  id: string;
  idOrNull: string;
  text: string;
  time: string;
  timeOrNull: string;
  bool: string;
  boolOrNull: string;
  json: string;
  /** The columns that a table begins with which SQLite numbers the rows of: with `ord`, a number that it counts up. */
  numbered(row: string): string;
  /** What makes a table lie in the order of its primary key, where the engine can. */
  clustered: string;
  /** The column `record`: the JSON of the given columns, kept by the engine itself. */
  record(columns: RecordColumns): string;
  /** What must be there before a table with a `record`. */
  recordFunction(columns: RecordColumns): string[];
  /** The key of a table that is a log. */
  logKey(...columns: string[]): string;
}

/** The columns that a record shows, in its order. */
export type RecordColumns = Record<string, 'id' | 'text' | 'time' | 'bool' | 'json'>;

export interface Migration {
  version: number;
  name: string;
  statements(types: ColumnTypes): string[];
}

const quote = (name: string): string => `"${name}"`;

export const sqliteTypes: ColumnTypes = {
  dialect: 'sqlite',
  id: 'TEXT not null',
  idOrNull: 'TEXT',
  text: 'TEXT not null',
  time: 'INTEGER not null',
  timeOrNull: 'INTEGER',
  bool: 'BOOLEAN not null',
  boolOrNull: 'BOOLEAN',
  // Not `JSON` alone: to SQLite that is a number, and it would make numbers of texts that look like one.
  json: 'JSON_TEXT',
  numbered: (row) => `ord INTEGER primary key, ${row.replace('primary key', 'unique')}`,
  clustered: ' without rowid',
  record(columns) {
    const values: Partial<Record<RecordColumns[string], string>> = {
      bool: `json(iif("%", 'true', 'false'))`,
      json: 'json("%")',
    };
    const fields = Object.entries(columns).map(
      ([name, kind]) => `'${name}', ${(values[kind] ?? '"%"').replace('%', name)}`,
    );
    return `record TEXT generated always as (json_object(${fields})) stored`;
  },
  recordFunction: () => [],
  logKey: (...columns) => `unique (${columns.map(quote)})`,
};

export const postgresTypes: ColumnTypes = {
  dialect: 'postgres',
  id: 'uuid not null',
  idOrNull: 'uuid',
  text: 'text not null',
  time: 'bigint not null',
  timeOrNull: 'bigint',
  bool: 'boolean not null',
  boolOrNull: 'boolean',
  json: 'jsonb',
  numbered: (row) => row,
  clustered: '',
  record(columns) {
    return `record text not null generated always as (message_record(${Object.keys(columns).map(quote)})) stored`;
  },
  // Generated columns take immutable functions only, and PostgreSQL does not know that this one is.
  recordFunction(columns) {
    const types = { id: 'uuid', text: 'text', time: 'bigint', bool: 'boolean', json: 'jsonb' };
    const parameters = Object.entries(columns).map(([name, kind]) => `${quote(name)} ${types[kind]}`);
    const fields = Object.keys(columns).map((name) => `'${name}', ${quote(name)}`);
    return [
      `create function message_record(${parameters}) returns text immutable parallel safe
        language sql as $$ select json_build_object(${fields})::text $$`,
    ];
  },
  logKey: (...columns) => `primary key (${columns.map(quote)})`,
};
