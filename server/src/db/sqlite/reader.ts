import type { Reader, SqlDialect } from '../contract.ts';
import type { SqliteConnection } from './connection.ts';
import { searchPage } from './messageSearch.ts';

const dialect: SqlDialect = { name: 'sqlite', isDistant: false };

/** The reads of a connection. Calls `onSearch` before each search. */
export function readerOf(
  connection: SqliteConnection,
  inTurn: Reader['inTurn'],
  onSearch: () => void,
): Reader {
  const reads: Omit<Reader, 'search'> = {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit) => connection.json(query, key, order, limit),
    inTurn,
  };
  return {
    ...reads,
    async search(search) {
      onSearch();
      return searchPage(reads, search);
    },
  };
}
