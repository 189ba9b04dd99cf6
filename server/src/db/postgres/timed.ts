import type { Turns } from '../../lib/turns.ts';
import { bindPage, fixed } from './compile.ts';
import type { Result } from './connection.ts';
import { Conflict, TookTooLong } from './errors.ts';
import type { ReadInTime } from './messageSearch.ts';
import type { Pool } from './pool.ts';
import { pageOf } from './work.ts';

/** Time limit for a search's query of the index. */
const INDEX_READ_MS = 20;

const begin = fixed('begin');
const limitTime = fixed(`set local statement_timeout = ${INDEX_READ_MS}`);
const commit = fixed('commit');

/**
 * Reads pages for a tenant like `Reader.json`, in a fair queue and on separate connections. Undefined if a
 * read takes longer than `INDEX_READ_MS`.
 */
export function readingInTime(pool: Pool, turns: Turns): (tenant: string) => ReadInTime {
  return (tenant) =>
    (...page) =>
      turns.run(tenant, () => readInTime(pool, ...page));
}

async function readInTime(pool: Pool, ...page: Parameters<ReadInTime>): ReturnType<ReadInTime> {
  const connection = await pool.lease();
  try {
    // Sent together in one round trip. After an error, `commit` rolls back.
    const statements = [begin, limitTime, bindPage(...page), commit];
    const results = await Promise.allSettled(statements.map((statement) => connection.query(statement)));
    const failed = results.find((result) => result.status === 'rejected');
    // The caller then scans messages instead.
    if (failed?.reason instanceof TookTooLong || failed?.reason instanceof Conflict) return undefined;
    if (failed) throw failed.reason;
    return pageOf((results[2] as PromiseFulfilledResult<Result>).value);
  } finally {
    pool.release(connection);
  }
}
