import { type SelectQueryBuilder, sql } from 'kysely';
import { MAX_PAGE_BYTES, type Reader } from '../db/contract.ts';
import type { Position } from '../operations/operation.ts';
import type { Page } from '../operations/read.ts';

/**
 * Returns a page of up to `limit` rows, or fewer if their records would exceed `MAX_PAGE_BYTES` according to
 * `bytesOf`. Query one row more than `limit`, so that the function knows whether there is a next page.
 */
export function pageOf<R, V>(
  rows: readonly R[],
  limit: number,
  positionOf: (row: R) => Position,
  toRecord: (row: R) => V,
  bytesOf: (record: V) => number = (record) => Buffer.byteLength(JSON.stringify(record)),
): { records: V[]; next: Position | null } {
  const records: V[] = [];
  let bytes = 0;
  for (const row of rows) {
    const record = toRecord(row);
    bytes += bytesOf(record);
    if (records.length === limit || (bytes > MAX_PAGE_BYTES && records.length > 0)) break;
    records.push(record);
  }
  const last = rows[records.length - 1];
  return { records, next: rows.length > records.length && last ? positionOf(last) : null };
}

/** The part of a list's input that selects a page. */
export interface PageInput {
  query: { limit: number };
  after: Position | undefined;
}

/** Selects up to `limit` rows ordered by id, plus one more (see `pageOf`). */
export function rowsById<R>(
  // biome-ignore lint/suspicious/noExplicitAny: any table with an id, and any selection
  rows: SelectQueryBuilder<any, any, R>,
  { query, after }: PageInput,
  order: 'asc' | 'desc' = 'asc',
  column = 'id',
) {
  const page = rows.orderBy(column, order).limit(query.limit + 1);
  return after ? page.where(column, order === 'asc' ? '>' : '<', after[0]) : page;
}

/** Returns a page of a list ordered by id. */
export const listById = async <R extends { id: string }>(
  db: Reader,
  // biome-ignore lint/suspicious/noExplicitAny: any table with an id, and any selection
  rows: SelectQueryBuilder<any, any, R>,
  input: PageInput,
  toRecord: (row: R) => unknown,
  order: 'asc' | 'desc' = 'asc',
  column = 'id',
): Promise<Page> => pageById(await db.all(rowsById(rows, input, order, column)), input.query.limit, toRecord);

/** Returns a page of rows ordered by id (see `pageOf`). */
export const pageById = <R extends { id: string }>(
  rows: readonly R[],
  limit: number,
  toRecord: (row: R) => unknown,
): Page => pageOf(rows, limit, (row) => [row.id], toRecord);

/** Returns a page of a list ordered by position, then by id. */
export async function listByPosition<R extends { id: string; position: number }>(
  db: Reader,
  // biome-ignore lint/suspicious/noExplicitAny: any table with a position and an id, and any selection
  rows: SelectQueryBuilder<any, any, R>,
  { query: { limit }, after }: PageInput,
  toRecord: (row: R) => unknown,
): Promise<Page> {
  let page = rows
    .orderBy('position')
    .orderBy('id')
    .limit(limit + 1);
  if (after) {
    const [position, id] = after as [number, string];
    page = page.where((eb) => eb(eb.refTuple('position', 'id'), '>', eb.tuple(position, id)));
  }
  return pageOf(await db.all(page), limit, ({ position, id }) => [position, id], toRecord);
}

const MAX_POSITION = 2_147_483_647;

/** Returns the position after the last one in a list; the first position if the list is empty. */
export const positionAfter = (last: number | null | undefined): number =>
  typeof last === 'number' ? Math.min(last + 1, MAX_POSITION) : 0;

/**
 * Returns a page of rows ordered by id (see `pageOf`). The query has computed their `bytes` (`bytesIn`), and
 * the records are read afterwards, so that a page never loads more than it returns.
 */
export const pageBySize = <R extends { id: string; bytes: number }>(
  rows: readonly R[],
  limit: number,
): { records: R[]; next: Position | null } =>
  pageOf(
    rows,
    limit,
    ({ id }) => [id],
    (row) => row,
    ({ bytes }) => bytes,
  );

/** Returns the approximate total size of a row's long columns in bytes, for `pageBySize`. */
export const bytesIn = (columns: readonly string[]) =>
  sql<number>`${sql.join(
    columns.map((column) => sql`coalesce(octet_length(cast(${sql.ref(column)} as text)), 0)`),
    sql` + `,
  )}`;
