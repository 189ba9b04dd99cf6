import { type SelectQueryBuilder, sql } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import { inBytes, type Sorted, startsWith } from '../../db/search.ts';
import type { Page } from '../../operations/read.ts';
import { listById, type PageInput, pageOf } from '../lists.ts';

/**
 * Returns a page of users or servers for which the text `prefix.by` starts with `prefix.beginning`, ordered
 * by that text. Without a prefix, the newest come first. Uses an index.
 */
export async function sortedPage<R extends { id: string }>(
  db: Reader,
  // biome-ignore lint/suspicious/noExplicitAny: any table with these columns, and any selection
  rows: SelectQueryBuilder<any, any, R>,
  prefix: { by: Sorted; beginning: string } | undefined,
  input: PageInput,
  toRecord: (row: R) => object,
): Promise<Page> {
  if (!prefix) return listById(db, rows, input, toRecord, 'desc');
  const {
    query: { limit },
    after,
  } = input;
  const text = inBytes(db.dialect, prefix.by);
  let sorted = rows
    .select(text.as('sortedBy'))
    .where(startsWith(db.dialect, prefix.by, prefix.beginning))
    .orderBy(text)
    .orderBy('id')
    .limit(limit + 1);
  if (after) {
    const [last, id] = after as [string, string];
    sorted = sorted.where(sql<boolean>`(${text} > ${last} or (${text} = ${last} and id > ${id}))`);
  }
  const found = (await db.all(sorted)) as (R & { sortedBy: string })[];
  return pageOf(found, limit, ({ sortedBy, id }) => [sortedBy, id], toRecord);
}
