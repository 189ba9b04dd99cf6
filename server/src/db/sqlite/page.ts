import type { Order } from '../contract.ts';
import { SHOWN_RECORD } from '../messageRecord.ts';

/**
 * Separates records. It ends with a line break, which records never contain, so pages can be split without
 * parsing them.
 */
export const SEPARATOR = ',\n';
const LINE_BREAK = 0x0a;

/** Returns the first records of a page that fit into `maxBytes`, but at least one. */
export function fitting(page: Uint8Array, maxBytes: number): { json: Uint8Array; count: number } {
  let count = 0;
  let end = 0;
  for (;;) {
    const lineBreak = page.indexOf(LINE_BREAK, end);
    const next = lineBreak === -1 ? page.length + SEPARATOR.length : lineBreak + 1;
    if (count > 0 && next - SEPARATOR.length > maxBytes) break;
    count++;
    end = next;
    if (lineBreak === -1) break;
  }
  return { json: page.subarray(0, end - SEPARATOR.length), count };
}

/**
 * Wraps a query so that its records are returned as one value. With min() or max(), SQLite takes bare
 * columns, such as `record`, from the row that has that value; here, this is the last row
 * (sqlite.org/lang_select.html, 2.5).
 */
export const pageSql = (sql: string, key: string, order: Order): string =>
  `select cast(group_concat(record, '${SEPARATOR}') as blob), count(*), ${order === 'asc' ? 'max' : 'min'}("${key}"), octet_length(record)
    from (${sql})`;

/** Wraps a query so that it stops after a number of rows, which is its last parameter. */
export const firstSql = (sql: string): string => `select * from (${sql}) limit ?`;

/**
 * Wraps a query so that it returns the sizes of its records. SQLite gets the size of a column without reading
 * it, except in a subquery.
 */
export const sizesSql = (sql: string): string =>
  sql.includes(SHOWN_RECORD)
    ? sql.replace(
        SHOWN_RECORD,
        `octet_length("message"."record") + ifnull(octet_length("message"."attachments"), 0) + ifnull(octet_length("message"."blocks"), 0)`,
      )
    : sql.replace(/("message"\.)?"record"/, 'octet_length($&) as "record"');

/** Wraps a query so that it returns the key of one row. The last parameter is the number of rows to skip. */
export const keySql = (sql: string, key: string): string => `select "${key}" from (${sql}) limit 1 offset ?`;
