import { Turns } from '../../lib/turns.ts';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type Order,
  type Reader,
  type Reads,
  type Runnable,
} from '../contract.ts';
import { type Bound, bind, bindPage } from './compile.ts';
import { searchPage } from './messageSearch.ts';
import type { Pool } from './pool.ts';
import type { Reads as SharedReads } from './reads.ts';
import { searchServerPage } from './serverSearch.ts';
import { readingInTime } from './timed.ts';
import { dialect, pageOf } from './work.ts';

/** Pages larger than this queue behind those requested earlier, because reads share few connections. */
const LARGE_BYTES = 128 * 1024;
const LARGE_AT_ONCE = 2;
/** Maximum concurrent searches. Others wait here, and not for connections that pages and writes need. */
const SEARCHES_AT_ONCE = 2;

/** Creates the reads of a tenant outside transactions. */
export function readingOf(pool: Pool, reads: SharedReads): (tenant: string) => Reader {
  const turns = new Turns();
  const largePages = new Turns(LARGE_AT_ONCE);
  const searches = new Turns(SEARCHES_AT_ONCE);
  const readInTime = readingInTime(pool, searches);
  const page = async (query: Runnable<unknown>, key: string, limit: number, maxBytes?: number) =>
    pageOf(await reads.run(bindPage(query, key, limit, maxBytes)));
  const atOnce: Reads = {
    dialect,
    first: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows[0] as R | undefined,
    all: async <R>(query: Runnable<R>) => (await reads.run(bind(query))).rows as R[],
    json: (query, key, _order, limit, maxBytes) => page(query, key, limit, maxBytes),
  };
  // A search scans thousands of rows. On a shared connection, everybody's pages would wait behind it.
  const searching = (tenant: string): Pick<Reads, 'first' | 'all' | 'json'> => {
    const run = (bound: Bound) => searches.run(tenant, () => reads.runApart(bound));
    return {
      first: async <R>(query: Runnable<R>) => (await run(bind(query))).rows[0] as R | undefined,
      all: async <R>(query: Runnable<R>) => (await run(bind(query))).rows as R[],
      json: async (query, key, _order, limit, maxBytes) =>
        pageOf(await run(bindPage(query, key, limit, maxBytes))),
    };
  };
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
    search: (search) => searchPage(searching(tenant), readInTime(tenant), search),
    searchServer: (search) => searchServerPage(searching(tenant), readInTime(tenant), search),
    inTurn: (task) => turns.run(tenant, () => task(atOnce)),
  });
}
