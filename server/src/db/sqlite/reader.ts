import type { Reader, SqlDialect } from '../contract.ts';
import type { SqliteConnection } from './connection.ts';

const dialect: SqlDialect = { name: 'sqlite', isDistant: false };

/** The reads of a connection. */
export function readerOf(
  connection: SqliteConnection,
  searchable: Reader['searchable'],
  inTurn: Reader['inTurn'],
): Reader {
  return {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit) => connection.json(query, key, order, limit),
    searchable,
    inTurn,
  };
}
