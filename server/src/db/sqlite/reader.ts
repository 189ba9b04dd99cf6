import { Recent } from '../../lib/recent.ts';
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
import { CachedPage, type MessagePage, type PageCache } from '../pageCache.ts';
import { searchesOf } from '../search/index.ts';
import type { Options as SearchOptions } from '../search/read.ts';
import type { SqliteConnection } from './connection.ts';

const dialect: SqlDialect = { name: 'sqlite', isDistant: false };

export interface Options {
  runInTurn<T>(tenant: string, task: () => Promise<T>): Promise<T>;
  /** The scheduler for large pages. If omitted, all pages are read immediately. */
  shares?: Shares;
  /** The cache of pages. If omitted or unavailable, all pages are read. */
  pages?: () => PageCache | undefined;
  /** Delays a result until all data that it may contain is durable. */
  durable<T>(result: T): T | Promise<T>;
  /** Called before each search. */
  onSearch(): void;
  searching: Pick<SearchOptions, 'blockCache' | 'onWaiting'>;
}

/**
 * After a page that was too large, this many of the tenant's next pages are measured before their records are
 * read.
 */
const MEASURED_PAGES = 100;
/** Maximum number of tenants whose large pages are tracked. */
const MAX_TENANTS = 1_000;

/** Returns a function that creates a tenant's reader on a connection. */
export function readingOf(connection: SqliteConnection, options: Options): (tenant: string) => Reader {
  const measured = new Recent<string, number>(MAX_TENANTS);
  const atOnce: Reads = {
    dialect,
    first: async (query) => connection.first(query),
    all: async (query) => connection.all(query),
    json: async (query, key, order, limit, maxBytes) =>
      connection.json(query, key, order, limit, { maxBytes }),
  };
  return (tenant) => new TenantReader(connection, atOnce, options, measured, tenant);
}

const bytesOf = ({ json }: JsonRows): number => json.length;

/** Whether a page ended early because more records would have exceeded the size limit. */
const isCut = ({ count, beyond }: JsonRows, limit: number): boolean => beyond !== null && count < limit;

class TenantReader implements Reader {
  readonly dialect = dialect;
  readonly #connection: SqliteConnection;
  readonly #atOnce: Reads;
  readonly #options: Options;
  /** The number of each tenant's next pages to measure. */
  readonly #measured: Recent<string, number>;
  readonly #tenant: string;

  constructor(
    connection: SqliteConnection,
    atOnce: Reads,
    options: Options,
    measured: Recent<string, number>,
    tenant: string,
  ) {
    this.#connection = connection;
    this.#atOnce = atOnce;
    this.#options = options;
    this.#measured = measured;
    this.#tenant = tenant;
  }

  // `first` and `all` are hot paths, and `async` functions would create a second promise.
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
    if (!shares) return this.#connection.json(query, key, order, limit, { maxBytes });
    // Measuring takes as long as reading small records, so only pages that are likely to be truncated are
    // measured.
    const isUsed = shares.isUsed(this.#tenant);
    const make = () => {
      const isLarge = isUsed && this.#isMeasured();
      const page = this.#connection.json(query, key, order, limit, { maxBytes, isLarge });
      if (isCut(page, limit)) this.#measured.set(this.#tenant, MEASURED_PAGES);
      return page;
    };
    const made = shares.take(this.#tenant, make, bytesOf);
    return durable(made instanceof Promise ? await made : made);
  }

  /** Whether to measure the tenant's next page. */
  #isMeasured(): boolean {
    const left = this.#measured.get(this.#tenant) ?? 0;
    if (left > 0) this.#measured.set(this.#tenant, left - 1);
    return left > 0;
  }

  async pageOf(channelId: string, name: string, read: () => Promise<MessagePage>): Promise<CachedPage> {
    const pages = this.#options.pages?.();
    return pages ? pages.page(this.#tenant, channelId, name, read) : new CachedPage(await read());
  }

  // Delays the whole result rather than each read, because other tasks are waiting for their turn.
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
