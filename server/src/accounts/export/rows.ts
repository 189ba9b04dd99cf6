import type { Kysely } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import { type TableName, tableNames, tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import type { Exported } from '../../db/tables/facts.ts';
import { FIRST_ID } from '../../lib/deps.ts';

/** Rows per read. Kept low to limit memory use, because a message may take up 32 KB. */
const PAGE_ROWS = 100;

/**
 * The tables with rows about a user, and for each the column with the user's id, according to the table
 * definitions.
 */
export const aboutUser: readonly (readonly [TableName, column: string])[] = tableNames.flatMap((table) =>
  Object.keys(tables[table].inExportOf ?? {}).map((column) => [table, column] as const),
);

const factsOf = (table: TableName, column: string): Exported => tables[table].inExportOf?.[column] ?? {};

/**
 * Returns the column by which a user's rows are sorted: the primary key, or the column of a composite key
 * that does not contain the user's id.
 */
const orderOf = (table: TableName, column: string): string => {
  const { key } = tables[table];
  return (key.length === 1 ? key[0] : key.find((part) => part !== column)) as string;
};

/** Rows per scan of a table that has no index on the column. Other reads can run between scans. */
const SCANNED_ROWS = 2_000;

/** Columns omitted from exports: secrets, and values that only the server needs. */
const LEFT_OUT = new Set([
  'ord',
  'words',
  'record',
  'digest',
  'browser',
  'recipient',
  'password',
  'earlierDigest',
  'familyDigest',
  'refreshDigest',
  'userCodeDigest',
  'codeChallenge',
  'publicKey',
  'sealed',
  'earlier',
  'nameKey',
  'nameFolded',
  // In a report, these columns contain another user's message and the moderator's id.
  'copy',
  'closerId',
]);

/**
 * The columns exported from a server's shared records. Others may have changed the rest, and the user may not
 * be allowed to see it.
 */
const FACTS = new Set(['id', 'serverId', 'channelId', 'kind', 'createdAt']);

/** Rows about a user in one table. */
export interface RowsOfTable {
  table: TableName;
  rows: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Yields all rows about a user, without secrets, in pages of one table each. With `isOwn`, the export is for
 * the user themselves and contains only `FACTS` of a server's shared records. Otherwise, the export is for
 * the operator.
 */
export async function* rowsAbout(db: Reader, userId: string, isOwn: boolean): AsyncGenerator<RowsOfTable> {
  for (const of of aboutUser) yield* rowsOf(db, userId, isOwn, of);
}

/** Yields the rows about a user in one table, found by one of its columns. */
export async function* rowsOf(
  db: Reader,
  userId: string,
  isOwn: boolean,
  [table, column]: (typeof aboutUser)[number],
): AsyncGenerator<RowsOfTable> {
  const isOfServer = isOwn && factsOf(table, column).isOfServer === true;
  const isShown = (name: string) => !LEFT_OUT.has(name) && (!isOfServer || FACTS.has(name));
  for await (const rows of pagesOf(db, table, column, userId))
    yield {
      table,
      rows: rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => isShown(name)))),
    };
}

/** Yields the rows of a table with this value in a column, page by page, ordered by key. */
export async function* pagesOf(
  db: Reader,
  table: TableName,
  column: string,
  value: string,
): AsyncGenerator<Record<string, unknown>[]> {
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const from = (q as Kysely<any>).selectFrom(table as string);
  const key = orderOf(table, column);
  const { isScanned } = factsOf(table, column);
  for (let after = FIRST_ID; ; ) {
    const { page, end } = await db.inTurn(async (reads) => {
      const edge = from.select(key).where(key, '>', after).orderBy(key).offset(SCANNED_ROWS).limit(1);
      const end = isScanned ? (await reads.first<Record<string, string>>(edge))?.[key] : undefined;
      let rows = from
        .selectAll()
        .where(column, '=', value)
        .where(key, '>', after)
        .orderBy(key)
        .limit(PAGE_ROWS);
      if (end !== undefined) rows = rows.where(key, '<=', end);
      return { page: await reads.all<Record<string, unknown>>(rows), end };
    });
    yield page;
    const next = page.length < PAGE_ROWS ? end : (page.at(-1)?.[key] as string);
    if (next === undefined) return;
    after = next;
  }
}

/** Formats rows as JSON Lines: `{"table": …, "row": {…}}`. */
export const linesOf = ({ table, rows }: RowsOfTable): string =>
  rows.map((row) => `${JSON.stringify({ table, row })}\n`).join('');
