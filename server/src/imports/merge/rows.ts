import type { Kysely } from 'kysely';
import type { Reader, Tx } from '../../db/contract.ts';
import { tables } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { jsonEntryOf, mayName } from './json.ts';
import type { Entry } from './plan.ts';

/** A row of any table. */
export type AnyRow = Readonly<Record<string, unknown>>;

/** Rows per write. */
const WRITE_ROWS = 200;
/** Rows per scan of a table that has no index on the column. Other reads can run between scans. */
const SCANNED_ROWS = 2_000;

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

/** Returns the column that orders the rows: the key, or the part of the key other than the user. */
export const orderOf = ({ table, column }: Entry): string => {
  const { key } = tables[table];
  return (key.find((part) => key.length === 1 || part !== column) ?? column) as string;
};

const isScanned = ({ table, column }: Entry): boolean => {
  if (jsonEntryOf({ table, column })) return true;
  const exported = tables[table].inExportOf;
  const fact = exported?.[column as keyof typeof exported] as { isScanned?: boolean } | undefined;
  return fact === undefined ? tables[table].key[0] !== column : fact.isScanned === true;
};

interface Page {
  rows: AnyRow[];
  /** The position of the next page; undefined on the last page. */
  next: string | undefined;
}

/** Returns the next rows with the user in a column. A page of a scan may be empty. */
export function nextRows(db: Reader, entry: Entry, userId: string, after: string): Promise<Page> {
  const { table, column } = entry;
  const key = orderOf(entry);
  const from = any.selectFrom(table as string);
  return db.inTurn(async (reads) => {
    const edge = from.select(key).where(key, '>', after).orderBy(key).offset(SCANNED_ROWS).limit(1);
    const end = isScanned(entry) ? (await reads.first<Record<string, string>>(edge))?.[key] : undefined;
    const json = jsonEntryOf(entry);
    const named = json ? mayName(json, userId) : from.selectAll().where(column, '=', userId);
    let some = named.where(key, '>', after).orderBy(key);
    if (end !== undefined) some = some.where(key, '<=', end);
    const rows = await reads.all<AnyRow>(some.limit(WRITE_ROWS));
    return { rows, next: rows.length < WRITE_ROWS ? end : (rows.at(-1)?.[key] as string) };
  });
}

/** Returns the conditions that select a row by its key. */
const keyOf = ({ table }: Entry, row: AnyRow): [string, unknown][] =>
  (tables[table].key as readonly string[]).map((part) => [part, row[part]]);

/** Returns the rows that still contain the user, in their current state and in key order. */
export function currentRows(tx: Tx, entry: Entry, rows: readonly AnyRow[]): Promise<AnyRow[]> {
  return tx.all<AnyRow>(
    withKeys(any.selectFrom(entry.table as string).selectAll(), entry, rows).orderBy(orderOf(entry)),
  );
}

export function deleteRow(tx: Tx, entry: Entry, row: AnyRow): Promise<void> {
  let query = any.deleteFrom(entry.table as string);
  for (const [name, value] of keyOf(entry, row)) query = query.where(name, '=', value);
  return tx.run(query);
}

/** Reassigns rows to a user. */
export function setUsers(tx: Tx, entry: Entry, rows: readonly AnyRow[], userId: string): Promise<void> {
  const { table, column } = entry;
  return tx.run(withKeys(any.updateTable(table as string).set({ [column]: userId }), entry, rows));
}

/**
 * Restricts a query to these rows, which all have the same user in the column. Together with the user, the
 * column of `orderOf` identifies each row.
 */
function withKeys<Q extends { where(column: string, operator: '=' | 'in', value: unknown): Q }>(
  query: Q,
  entry: Entry,
  rows: readonly AnyRow[],
): Q {
  const key = orderOf(entry);
  const keys = rows.map((row) => row[key]);
  return query.where(entry.column, '=', rows[0]?.[entry.column]).where(key, 'in', keys);
}

/** Returns the unique indexes that include the column, each as a list of columns. */
function uniqueWith({ table, column }: Entry): string[][] {
  const { key, unique = {}, neverTaken = {} } = tables[table];
  const lists = [
    [...key] as string[],
    ...[unique, neverTaken].flatMap((one) => Object.keys(one).map((names) => names.split(','))),
  ];
  return lists.filter((names) => names.includes(column));
}

/** Finds the account's row that prevents a row of the user from moving to the account. */
export async function conflicting(
  tx: Tx,
  entry: Entry,
  row: AnyRow,
  accountId: string,
): Promise<AnyRow | undefined> {
  for (const names of uniqueWith(entry)) {
    let query = any.selectFrom(entry.table as string).selectAll();
    for (const name of names) query = query.where(name, '=', name === entry.column ? accountId : row[name]);
    const found = await tx.first<AnyRow>(query);
    if (found) return found;
  }
  return undefined;
}
