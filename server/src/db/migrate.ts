import type { SqlDialect } from './contract.ts';

/** How each engine spells the kinds of column that the migrations use. */
export interface ColumnTypes {
  dialect: SqlDialect['name'];
  id: string;
  idOrNull: string;
  text: string;
  time: string;
  timeOrNull: string;
  bool: string;
  boolOrNull: string;
  json: string;
  /** The column `ord`: a number that the engine counts up. */
  ord: string;
  /** What makes a table lie in the order of its primary key, where the engine can. */
  clustered: string;
  /** The column `record`: the JSON of the given columns, kept by the engine itself. */
  record(columns: Record<string, 'plain' | 'bool' | 'json'>): string;
}

export interface Migration {
  version: number;
  name: string;
  statements(types: ColumnTypes): string[];
}

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
  ord: 'ord INTEGER primary key',
  clustered: ' without rowid',
  record(columns) {
    const value = { plain: '"%"', bool: `json(iif("%", 'true', 'false'))`, json: 'json("%")' };
    const fields = Object.entries(columns).map(
      ([name, kind]) => `'${name}', ${value[kind].replace('%', name)}`,
    );
    return `record TEXT generated always as (json_object(${fields})) stored`;
  },
};
