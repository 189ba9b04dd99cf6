import { bindPage, fixed } from './compile.ts';
import type { Result } from './connection.ts';
import { TookTooLong } from './errors.ts';
import type { ReadInTime } from './messageSearch.ts';
import type { Pool } from './pool.ts';
import { pageOf } from './work.ts';

/** The time that a search may look into its index. */
const INDEX_READ_MS = 30;

const begin = fixed('begin');
const limitTime = fixed(`set local statement_timeout = ${INDEX_READ_MS}`);
const commit = fixed('commit');

/** Reads a page as `Reader.json` does, on a connection of its own. Undefined if it took longer than `INDEX_READ_MS`. */
export const readingInTime =
  (pool: Pool): ReadInTime =>
  async (query, key, limit, maxBytes) => {
    const connection = await pool.lease();
    try {
      // Sent together: one round trip. After an error, `commit` rolls back.
      const statements = [begin, limitTime, bindPage(query, key, limit, maxBytes), commit];
      const results = await Promise.allSettled(statements.map((statement) => connection.query(statement)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed?.reason instanceof TookTooLong) return undefined;
      if (failed) throw failed.reason;
      return pageOf((results[2] as PromiseFulfilledResult<Result>).value);
    } finally {
      pool.release(connection);
    }
  };
