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
import { type Bound, bind, bindPage } from './compile.ts';
import type { Reads as SharedReads } from './reads.ts';
import { dialect, pageOf } from './work.ts';

/** Pages larger than this queue behind those requested earlier, because reads share few connections. */
const LARGE_BYTES = 128 * 1024;
const LARGE_AT_ONCE = 2;
/** Maximum concurrent searches. Others wait here, and not for connections that pages and writes need. */
const SEARCHES_AT_ONCE = 2;

const runAtOnce = <T>(task: () => Promise<T>): Promise<T> => task();

/** Creates the reads of a tenant outside transactions. */
export function readingOf(
  reads: SharedReads,
  options: Omit<Options, 'runInTurn'>,
): (tenant: string) => Reader {
  const turns = new Turns();
  const largePages = new Turns(LARGE_AT_ONCE);
  const searches = new Turns(SEARCHES_AT_ONCE);
  const page = async (query: Runnable<unknown>, key: string, limit: number, maxBytes?: number) =>
    pageOf(await reads.run(bindPage(query, key, limit, maxBytes)));
  const atOnce: Reads = {
    dialect,
    first: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows[0] as R | undefined,
    all: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows as R[],
    json: (query, key, _order, limit, maxBytes) => page(query, key, limit, maxBytes),
  };
  // A search makes many reads. On a shared connection, everybody's pages would wait behind them.
  const searching = (tenant: string): Reads => {
    const run = (bound: Bound) => searches.run(tenant, () => reads.runApart(bound));
    return {
      dialect,
      first: async <R>(query: Runnable<R>) => (await run(bind(query))).rows[0] as R | undefined,
      all: async <R>(query: Runnable<R>) => (await run(bind(query))).rows as R[],
      json: async (query, key, _order, limit, maxBytes) =>
        pageOf(await run(bindPage(query, key, limit, maxBytes))),
    };
  };
  const searchFor = (tenant: string) => searchesOf(searching(tenant), { ...options, runInTurn: runAtOnce });
  return (tenant) => ({
    ...atOnce,
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
    // Only the database server knows whether another node has changed a message.
    pageOf: async (_channelId, _name, read) => new CachedPage(await read()),
    inTurn: (task) => turns.run(tenant, () => task(atOnce)),
  });
}
