import type { Shares } from '../../lib/shares.ts';
import type {
  JsonRows,
  MessageSearch,
  Order,
  Reader,
  Reads,
  Runnable,
  SearchPage,
  ServerSearch,
  SqlDialect,
} from '../contract.ts';
import { searchesOf } from '../search/index.ts';
import type { Options as SearchOptions } from '../search/read.ts';
import type { SqliteConnection } from './connection.ts';

const dialect: SqlDialect = { name: 'sqlite', isDistant: false };

export interface Options {
  runInTurn<T>(tenant: string, task: () => Promise<T>): Promise<T>;
  /** Fair sharing of large pages. If omitted, all pages are read immediately. */
  shares?: Shares;
  /** Holds back a result until everything it may reveal is durable. */
  durable<T>(result: T): T | Promise<T>;
  /** Called before each search. */
  onSearch(): void;
  searching: Pick<SearchOptions, 'directories' | 'onWaiting'>;
}

/** Creates the reads of a connection for a tenant. */
export function readingOf(connection: SqliteConnection, options: Options): (tenant: string) => Reader {
  const atOnce: Reads = {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit, maxBytes) =>
      connection.json(query, key, order, limit, { maxBytes }),
  };
  return (tenant) => new TenantReader(connection, atOnce, options, tenant);
}

const bytesOf = ({ json }: JsonRows): number => json.length;

class TenantReader implements Reader {
  readonly dialect = dialect;
  readonly #connection: SqliteConnection;
  readonly #atOnce: Reads;
  readonly #options: Options;
  readonly #tenant: string;

  constructor(connection: SqliteConnection, atOnce: Reads, options: Options, tenant: string) {
    this.#connection = connection;
    this.#atOnce = atOnce;
    this.#options = options;
    this.#tenant = tenant;
  }

  // These are hot paths: an `async` function that awaits nothing costs a second promise.
  first<R>(query: Runnable<R>): Promise<R | undefined> {
    try {
      return Promise.resolve(this.#options.durable(this.#connection.first(query)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  all<R>(query: Runnable<R>): Promise<R[]> {
    try {
      return Promise.resolve(this.#options.durable(this.#connection.all(query)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async json(
    query: Runnable<unknown>,
    key: string,
    order: Order,
    limit: number,
    maxBytes?: number,
  ): Promise<JsonRows> {
    const { durable, shares } = this.#options;
    const make = (isLarge: boolean) => this.#connection.json(query, key, order, limit, { maxBytes, isLarge });
    if (!shares) return make(false);
    const mayBeLarge = shares.isUsed(this.#tenant);
    const made = shares.take(this.#tenant, () => make(mayBeLarge), bytesOf);
    return durable(made instanceof Promise ? await made : made);
  }

  // Holds back the whole result instead of each read in it: others are waiting for the turn.
  async inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T> {
    const { runInTurn, durable } = this.#options;
    return durable(await runInTurn(this.#tenant, () => task(this.#atOnce)));
  }

  async search(search: MessageSearch): Promise<SearchPage> {
    return this.#options.durable(await this.#searches().search(search));
  }

  async searchServer(search: ServerSearch): Promise<SearchPage> {
    return this.#options.durable(await this.#searches().searchServer(search));
  }

  #searches() {
    const { runInTurn, searching, onSearch } = this.#options;
    onSearch();
    return searchesOf(this.#atOnce, { ...searching, runInTurn: (task) => runInTurn(this.#tenant, task) });
  }
}
