import type { ColumnNode, RootOperationNode, UpdateQueryNode } from 'kysely';
import { dependentsOf } from './bonds.ts';
import type { Runnable } from './contract.ts';
import { type TableName, tables } from './schema.ts';
import type { Template } from './statements.ts';

/** The rows in one table that a query may read or change, as far as can be determined without running it. */
export interface Reach {
  table: string;
  /** Column values that all these rows have in common; undefined if none are known. */
  equals?: Readonly<Record<string, unknown>>;
}

const tablesOfTemplate = new WeakMap<Template, readonly string[]>();

/** Returns the rows that a query may read or change. */
export function reachesOf(query: Runnable<unknown>): Reach[] {
  if (!('template' in query)) {
    return tablesOf(query.toOperationNode() as RootOperationNode).map((table) => ({ table }));
  }
  const { template, values } = query;
  let tables = tablesOfTemplate.get(template);
  if (!tables) {
    tables = tablesOf(template.node);
    tablesOfTemplate.set(template, tables);
  }
  return tables.map((table) => {
    const columns = template.equals?.[table];
    if (!columns) return { table };
    const equals: Record<string, unknown> = {};
    for (const column in columns) equals[column] = values[columns[column] as string];
    return { table, equals };
  });
}

/** Whether two reaches of the same table may have a row in common. */
function meet({ equals: one }: Reach, { equals: other }: Reach): boolean {
  if (!one || !other) return true;
  for (const name in one) {
    const value = one[name];
    // JSON values are objects, so comparing them by identity would not work.
    if (Object.hasOwn(other, name) && isPlain(value) && value !== other[name]) return false;
  }
  return true;
}

/** A set of rows in any tables. */
export class Reaches {
  readonly #byTable = new Map<string, Reach[]>();

  add(reaches: readonly Reach[]): void {
    for (const reach of reaches) {
      const others = this.#byTable.get(reach.table);
      if (others) others.push(reach);
      else this.#byTable.set(reach.table, [reach]);
    }
  }

  /** Whether the set may share a row with any of these reaches. */
  meets(reaches: readonly Reach[]): boolean {
    return reaches.some((one) => this.#byTable.get(one.table)?.some((other) => meet(one, other)));
  }
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/**
 * Returns the column with the servers or users whose permissions a query changes (`decidesAuthority`). The
 * engines make the query return this column. Rows deleted by a cascade belong to the same server.
 */
export function authorityColumn(node: RootOperationNode): string | undefined {
  const target = targetOf(node);
  if (!target) return undefined;
  for (const table of tablesIn(target)) {
    const decides = tables[table as TableName]?.decidesAuthority;
    if (!decides) continue;
    const { of, by, byInsert } = decides;
    if (node.kind === 'InsertQueryNode') return byInsert ?? (node.onConflict ? of : undefined);
    const columns: readonly string[] | undefined = by;
    const isOther =
      node.kind === 'UpdateQueryNode' && columns && !updated(node).some((one) => columns.includes(one));
    return isOther ? undefined : of;
  }
  return undefined;
}

/** Returns the columns that an update sets. */
const updated = ({ updates = [] }: UpdateQueryNode): string[] =>
  updates.map(({ column }) => (column as ColumnNode).column.name);

/** Whether a query inserts into `sweep`. */
export const marksSweep = (node: RootOperationNode): boolean =>
  node.kind === 'InsertQueryNode' && tablesIn(node.into ?? {}).has('sweep');

/** Whether a query may change rows in a table with `isCached`. */
export const invalidatesRowCache = (node: RootOperationNode): boolean =>
  targetOf(node) !== undefined && tablesOf(node).some((table) => tables[table as TableName]?.isCached);

const targetOf = (node: RootOperationNode): object | undefined => {
  switch (node.kind) {
    case 'InsertQueryNode':
      return node.into;
    case 'UpdateQueryNode':
      return node.table;
    case 'DeleteQueryNode':
      return node.from;
    default:
      return undefined;
  }
};

function tablesOf(node: RootOperationNode): string[] {
  const tables = tablesIn(node);
  if (node.kind === 'DeleteQueryNode') {
    // Iterating over a set includes elements that are added during the iteration, so this follows cascades of
    // any depth.
    for (const table of tables)
      for (const group of dependentsOf(table, 'foreignKey')) tables.add(group.table);
  }
  return [...tables];
}

/** Returns the names of all tables in a part of a query's syntax tree. */
function tablesIn(part: object, found = new Set<string>()): Set<string> {
  const { kind, table } = part as { kind?: string; table?: { identifier?: { name?: string } } };
  if (kind === 'TableNode' && table?.identifier?.name) found.add(table.identifier.name);
  for (const child of Object.values(part)) {
    if (typeof child === 'object' && child !== null) tablesIn(child, found);
  }
  return found;
}
