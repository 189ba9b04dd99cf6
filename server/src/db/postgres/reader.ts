import { Turns } from '../../lib/turns.ts';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type Order,
  type Reader,
  type Reads,
  type Runnable,
} from '../contract.ts';
import { CachedPage } from '../pageCache.ts';
import { searchesOf } from '../search/index.ts';
import type { Options } from '../search/read.ts';
import { bind, bindPage } from './compile.ts';
import type { Reads as SharedReads } from './reads.ts';
import { dialect, pageOf } from './work.ts';

/** Pages larger than this wait in a queue, because reads share few connections. */
const LARGE_BYTES = 128 * 1024;
const LARGE_AT_ONCE = 2;
/**
 * Maximum concurrent searches, and the number of connections that the pool must have for each of them.
 * Further searches are queued here instead of taking connections that pages and writes need.
 */
const SEARCHES_AT_ONCE = 2;
const CONNECTIONS_PER_SEARCH = 4;

/** Returns a function that creates a tenant's reader, for use outside of transactions. */
export function readingOf(
  reads: SharedReads,
  connections: number,
  options: Omit<Options, 'runInTurn'>,
): (tenant: string) => Reader {
  const turns = new Turns();
  const largePages = new Turns(LARGE_AT_ONCE);
  const atOnce = Math.floor(connections / CONNECTIONS_PER_SEARCH);
  const searches = new Turns(Math.max(1, Math.min(SEARCHES_AT_ONCE, atOnce)));
  const page = async (query: Runnable<unknown>, key: string, limit: number, maxBytes?: number) =>
    pageOf(await reads.run(bindPage(query, key, limit, maxBytes)));
  const shared: Reads = {
    dialect,
    first: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows[0] as R | undefined,
    all: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows as R[],
    json: (query, key, _order, limit, maxBytes) => page(query, key, limit, maxBytes),
  };
  // A search makes many reads. On a shared connection, all other reads would wait behind them.
  const apart: Reads = {
    dialect,
    first: async <R>(query: Runnable<R>) => (await reads.runApart(bind(query))).rows[0] as R | undefined,
    all: async <R>(query: Runnable<R>) => (await reads.runApart(bind(query))).rows as R[],
    json: async (query, key, _order, limit, maxBytes) =>
      pageOf(await reads.runApart(bindPage(query, key, limit, maxBytes))),
  };
  const searchFor = (tenant: string) =>
    searchesOf(apart, { ...options, runInTurn: (task) => searches.run(tenant, task) });
  return (tenant) => ({
    ...shared,
    async json(
      query: Runnable<unknown>,
      key: string,
      _order: Order,
      limit: number,
      maxBytes = MAX_PAGE_BYTES,
    ): Promise<JsonRows> {
      const first = await page(query, key, limit, Math.min(maxBytes, LARGE_BYTES));
      const isWhole = first.beyond === null || first.count === limit || maxBytes <= LARGE_BYTES;
      return isWhole ? first : largePages.run(tenant, () => page(query, key, limit, maxBytes));
    },
    search: (search) => searchFor(tenant).search(search),
    searchServer: (search) => searchFor(tenant).searchServer(search),
    // Another node may have changed a message, which only a query can detect.
    pageOf: async (_channelId, _name, read) => new CachedPage(await read()),
    inTurn: (task) => turns.run(tenant, () => task(shared)),
  });
}
