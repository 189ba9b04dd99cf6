import type { Reader, Reads, SqlDialect } from '../contract.ts';
import type { SqliteConnection } from './connection.ts';
import { type RunInTurn, searchPage } from './messageSearch.ts';

const dialect: SqlDialect = { name: 'sqlite', isDistant: false };

interface Options {
  runInTurn: RunInTurn;
  /** Holds a result back until all that it may tell of is durable. */
  durable<T>(result: T): T | Promise<T>;
  /** Runs before each search. */
  onSearch(): void;
}

/** The reads of a connection. */
export function readerOf(connection: SqliteConnection, { runInTurn, durable, onSearch }: Options): Reader {
  const atOnce: Reads = {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit, maxBytes) => connection.json(query, key, order, limit, maxBytes),
  };
  return {
    dialect,
    first: async (query) => durable(connection.first(query)),
    all: async (query) => durable(connection.all(query)),
    json: async (query, key, order, limit, maxBytes) =>
      durable(connection.json(query, key, order, limit, maxBytes)),
    // The whole result is held back, and not each read of it: others wait for the turn.
    inTurn: async (task) => durable(await runInTurn(() => task(atOnce))),
    async search(search) {
      onSearch();
      return durable(await searchPage(atOnce, runInTurn, search));
    },
  };
}
