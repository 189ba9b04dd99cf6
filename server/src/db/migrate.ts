/** The SQL that differs between engines, for use in migrations. */
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
  /**
   * Returns the first columns of a table with numbered rows. On SQLite, these include `ord`, the
   * rowid.
   */
  numbered(row: string): string;
  /** The table option that stores rows in primary key order, if the engine has one. */
  clustered: string;
  /** Returns the generated column `record`, which contains the given columns as JSON. */
  record(columns: RecordColumns): string;
  /** Returns statements to run before creating a table with a `record`. */
  recordFunction(columns: RecordColumns): string[];
  /** Returns the key of an append-only table. */
  logKey(...columns: string[]): string;
  /**
   * Returns the SQL of a trigger that runs statements for each row deleted from a table. The statements refer
   * to the row as `old`.
   */
  afterDelete(table: string, statements: readonly string[]): string[];
  /** Like `afterDelete`, for each row in which a column changed from a value that was not null. */
  afterChange(table: string, column: string, statements: readonly string[]): string[];
}

/** The columns of a record, in order, and how each is serialized to JSON. */
export type RecordColumns = Record<string, 'id' | 'text' | 'time' | 'bool' | 'json'>;

export interface Migration {
  version: number;
  name: string;
  /** Whether nodes of the previous version keep working on the new schema. */
  isBackwardCompatible: boolean;
  statements(types: ColumnTypes): string[];
}

/** A migration. It is loaded on demand, because a database with the current schema does not need it. */
export interface MigrationFile {
  name: string;
  load(): Promise<{ default: Migration['statements']; isBackwardCompatible?: boolean }>;
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
  // SQLite would give the type `JSON` numeric affinity, and convert text that looks like a number.
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
  afterDelete: (table, statements) => [
    `create trigger "${table}_deleted" after delete on "${table}" begin ${statements.join('; ')}; end`,
  ],
  afterChange: (table, column, statements) => [
    `create trigger ${table}_${column}_changed after update of ${column} on ${quote(table)}
      when old.${column} is not null and old.${column} is not new.${column} begin ${statements.join('; ')}; end`,
  ],
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
  // Generated columns may only call immutable functions, and json_build_object is not declared as one.
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
  afterDelete: (table, statements) => [
    `create function "${table}_deleted"() returns trigger language plpgsql
      as $$ begin ${statements.join('; ')}; return null; end $$`,
    `create trigger "${table}_deleted" after delete on "${table}" for each row execute function "${table}_deleted"()`,
  ],
  afterChange: (table, column, statements) => [
    `create function ${table}_${column}_changed() returns trigger language plpgsql
      as $$ begin ${statements.join('; ')}; return null; end $$`,
    `create trigger ${table}_${column}_changed after update of ${column} on ${quote(table)} for each row
      when (old.${column} is not null and old.${column} is distinct from new.${column})
      execute function ${table}_${column}_changed()`,
  ],
};
