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
  json: 'JSON',
  ord: 'ord INTEGER primary key',
  clustered: ' without rowid',
};
